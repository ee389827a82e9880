// doctor and a chain whose Prometheus does not scrape as it should.

import { playCases } from './support/doctor-cases.ts'
import { isAboutRules, prometheusCases } from './support/doctor-prometheus.ts'

playCases(prometheusCases.filter((one) => !isAboutRules(one)))
