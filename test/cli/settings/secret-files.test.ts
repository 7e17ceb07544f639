// Secrets in files: X_FILE replaces X in every command, and no message shows a file’s content.
import { join } from 'node:path'
import { fileVariable, readSecretFiles } from '../../../src/cli/settings/secret-files.ts'
import type { Setting } from '../../../src/cli/settings/setting.ts'
import { readConfig, settings } from '../../../src/cli/settings/settings.ts'
import { ownFolder } from '../own-folder.ts'
import { bellhopHere, refuses } from '../run-here.ts'

const { folder, write: fileWith } = ownFolder()

test('every secret setting has a file variable, and no other', () => {
  for (const each of Object.values<Setting<unknown>>(settings))
    expect([each.variable, fileVariable(each) !== undefined]).toEqual([each.variable, each.secret === true])
})

test('secrets in files are read like those in the environment', () => {
  const environment: Record<string, string | undefined> = {
    BELLHOP_SERVICE_URL: 'https://git.example.com',
    BELLHOP_SERVICE_TOKEN_FILE: fileWith('token', 'glpat-1'),
    BELLHOP_HOOK_SECRET_FILE: fileWith('hook', ' new,old\n'),
    BELLHOP_QUEUE_URL_FILE: fileWith('queue', 'redis://:hush@redis:6379\n'),
    BELLHOP_ADMIN_TOKEN_FILE: '',
  }
  readSecretFiles(environment)
  const read = readConfig(environment, {})
  expect(read).toMatchObject({
    ok: true,
    config: {
      serviceToken: 'glpat-1',
      hookSecrets: ['new', 'old'],
      queueUrl: 'redis://:hush@redis:6379',
      adminToken: '',
    },
  })
})

test('the token’s file stays named next to the token, for those who read it again or write it', () => {
  const path = fileWith('rotated', 'glpat-2\n')
  const environment = { BELLHOP_SERVICE_TOKEN: '', BELLHOP_SERVICE_TOKEN_FILE: path }
  readSecretFiles(environment)
  expect(environment).toEqual({ BELLHOP_SERVICE_TOKEN: 'glpat-2', BELLHOP_SERVICE_TOKEN_FILE: path })
})

test('commands other than serve read them too', async () => {
  expect(
    await bellhopHere(['deliveries', 'list', '--url', 'http://127.0.0.1:1'], {
      BELLHOP_ADMIN_TOKEN_FILE: join(folder, 'none'),
    }),
  ).toEqual(refuses(2, /^bellhop: BELLHOP_ADMIN_TOKEN_FILE: .*none.*ENOENT.*\n$/))
})

test('a secret and its file together are wrong usage, and neither is shown', async () => {
  const { code, err } = await bellhopHere(['doctor'], {
    BELLHOP_ADMIN_TOKEN: 'hush',
    BELLHOP_ADMIN_TOKEN_FILE: fileWith('admin', 'hush'),
  })
  expect([code, err]).toEqual([
    2,
    'bellhop: BELLHOP_ADMIN_TOKEN and BELLHOP_ADMIN_TOKEN_FILE are both set. Set only one.\n',
  ])
})
