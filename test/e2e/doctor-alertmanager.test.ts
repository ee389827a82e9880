// doctor and a chain whose Alertmanager is not as it should be.

import { alertmanagerCases } from './support/doctor-alertmanager.ts'
import { playCases } from './support/doctor-cases.ts'

playCases(alertmanagerCases)
