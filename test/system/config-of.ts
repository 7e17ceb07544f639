// The configuration that settings give, for tests that start Bellhop in their own process.
import { type Config, readConfig } from '../../src/cli/settings/settings.ts'

/** Of a service that is never reached, where the settings name no other. Throws where one of them is wrong. */
export function configOf(settings: Record<string, string>): Config {
  const unreached = { BELLHOP_SERVICE_URL: 'http://127.0.0.1:9', BELLHOP_SERVICE_TOKEN: 'token', BELLHOP_PORT: '0' }
  const read = readConfig({ ...unreached, ...settings }, {})
  if (!read.ok) throw new Error(read.problems.join('\n'))
  return read.config
}
