// docs/deploy.md: its command makes secrets that are long enough.
import { spawnSync } from 'node:child_process'
import { readConfig } from '../../src/cli/settings/settings.ts'
import { hasOpenssl } from '../servers/own-authority.ts'

test.skipIf(!hasOpenssl)('openssl makes a token and a master key that are long enough (needs openssl)', () => {
  const made = () => {
    const [program = '', ...args] = 'openssl rand -hex 32'.split(' ')
    return spawnSync(program, args, { encoding: 'utf8' }).stdout.trim()
  }
  const [key, token] = [made(), made()]
  const environment = {
    BELLHOP_SERVICE_URL: 'https://git.example.com',
    BELLHOP_SERVICE_TOKEN: 't',
    BELLHOP_HOOK_MASTER_KEY: key,
  }
  expect(readConfig({ ...environment, BELLHOP_ADMIN_TOKEN: token }, {})).toMatchObject({ ok: true })
  expect(readConfig({ ...environment, BELLHOP_HOOK_MASTER_KEY: key.slice(0, 8) }, {})).toMatchObject({ ok: false })
})
