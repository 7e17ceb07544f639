// `bellhop hooks secret`.
import { projectSecrets } from '../../../src/bot/webhook/hook-secrets.ts'
import { bellhopHere as bellhop, prints, refuses } from '../run-here.ts'
import { startScenario } from '../scenario-service.ts'

const [KEY, OLD] = ['a-master-key-of-thirty-two-characters', 'the-master-key-of-all-those-years-ago']
const { tokens, signing } = projectSecrets([KEY], 7)

test('prints only the secret of the newest master key', async () => {
  expect(await bellhop(['hooks', 'secret', '7'], { BELLHOP_HOOK_MASTER_KEY: `${KEY},${OLD}` })).toEqual(
    prints(`${tokens[0]}\n`),
  )
})

test('prints the signing token, or all as JSON', async () => {
  const environment = { BELLHOP_HOOK_MASTER_KEY: KEY }
  expect((await bellhop(['hooks', 'secret', '7', '--signing'], environment)).out).toBe(`${signing[0]}\n`)
  expect(JSON.parse((await bellhop(['hooks', 'secret', '7', '--format', 'json'], environment)).out)).toEqual({
    project: 7,
    path: '/hooks/7',
    token: tokens[0],
    signing_token: signing[0],
  })
})

test('takes the path of a project, and asks the service for its id', async () => {
  const service = await startScenario({ file: 'scenarios/demo.yml' })
  onTestFinished(() => service.close())
  const environment = { ...service.environment, BELLHOP_HOOK_MASTER_KEY: KEY }
  const { out } = await bellhop(['hooks', 'secret', 'hotel/app', '--format', 'json'], environment)
  expect(JSON.parse(out).project).toBe(service.projects[0]?.id)
})

test.each([
  ['a path without a service', ['hotel/app'], { BELLHOP_HOOK_MASTER_KEY: KEY }, /BELLHOP_SERVICE_URL is missing/],
  ['no master key', ['7'], {}, /BELLHOP_HOOK_MASTER_KEY is missing/],
  [
    'a short one, which is not shown',
    ['7'],
    { BELLHOP_HOOK_MASTER_KEY: 'hush' },
    /^(?!.*hush).*at least 32 characters/,
  ],
])('%s is wrong usage', async (_name, args, environment, message) => {
  expect(await bellhop(['hooks', 'secret', ...args], environment)).toEqual(refuses(2, message))
})
