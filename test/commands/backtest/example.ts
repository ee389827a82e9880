import { readAlertmanagerConfig } from '../../../src/commands/monitoring/routes.ts'
import { exampleText } from '../../e2e/support/alertmanager.ts'

export const exampleConfig = readAlertmanagerConfig(exampleText)
