// doctor and a chain whose Grafana is not as it should be.

import { grafanaCases } from './support/doctor-grafana.ts'
import { playCases } from './support/doctor-cases.ts'

playCases(grafanaCases)
