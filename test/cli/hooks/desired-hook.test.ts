// Which hooks are Bellhop's, and in what they differ from what they should be.
import { desiredHook, driftOf, type HookPlace, hookParams, leadsHere } from '../../../src/cli/hooks/desired-hook.ts'
import { ourHooks } from '../../../src/cli/hooks/install.ts'
import { allEvents } from '../../../src/cli/hooks/needed-events.ts'

const base = 'https://bot.example.com/bellhop'
const place: HookPlace = { base, masterKeys: [], tokens: ['new', 'old'], signing: [], signs: false, verifiesTls: true }

test.each([
  [`${base}/hooks`, true],
  [`${base}/hooks/`, true],
  [`${base}/hooks/17`, true],
  ['http://bot.example.com/bellhop/hooks/17/', true],
  [`${base}/hooks/17?x=1`, true],
  [`${base}/hooks/17/more`, false],
  [`${base}/hooksmith`, false],
  ['https://bot.example.com/hooks', false],
  ['https://bot.example.com:8443/bellhop/hooks', false],
  ['https://evil.example.com/https://bot.example.com/bellhop/hooks', false],
  ['no address', false],
])('%s leads to this Bellhop: %s', (url, here) => {
  expect(leadsHere({ url }, { base })).toBe(here)
})

test('the hook with the right address is kept, then the oldest', async () => {
  const hooks = [3, 2, 1].map((id) => ({ id, url: id === 2 ? `${base}/hooks` : `${base}/hooks/9` }))
  const list = async () => [...hooks, { id: 0, url: 'https://other.example.com/hooks' }]
  const ours = await ourHooks({ list }, { url: `${base}/hooks` }, { base })
  expect(ours.map(({ id }) => id)).toEqual([2, 1, 3])
})

test('fields that an older service does not show are no drift', () => {
  expect(driftOf({ id: 1, url: `${base}/hooks` }, desiredHook(place, 7, allEvents))).toEqual([])
})

test('an address is shown without its password', () => {
  const drift = driftOf(
    { url: 'https://me:hush@bot.example.com/bellhop/hooks?token=hush' },
    desiredHook(place, 7, allEvents),
  )
  expect(drift).toEqual([`its address is ${base}/hooks`])
})

test('an unwanted signing token is removed, and not sent to a service without signing tokens', () => {
  const desired = desiredHook(place, 7, allEvents)
  expect(hookParams(desired, { signing_token_present: true })).toMatchObject({ token: 'new', signing_token: '' })
  expect(hookParams(desired, {}).signing_token).toBeUndefined()
})
