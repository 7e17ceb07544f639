// What `bellhop hooks rotate` asks of the running Bellhop before it writes a secret.
import { hookSignature } from '../../../src/api/hooks.ts'
import { projectSecrets } from '../../../src/bot/webhook/hook-secrets.ts'
import type { HookPlace } from '../../../src/cli/hooks/desired-hook.ts'
import { requireBothAccepted, requireTwo } from '../../../src/cli/hooks/install.ts'

const keys = ['a-master-key-of-thirty-two-characters', 'the-master-key-of-all-those-years-ago']
const [newKey = '', oldKey = ''] = keys.map((key) => projectSecrets([key], 7).tokens[0])
const [newSigning = '', oldSigning = ''] = keys.map((key) => projectSecrets([key], 7).signing[0])
const place: HookPlace = {
  ...{ base: 'http://bellhop', masterKeys: [], tokens: [], signing: [], signs: false, verifiesTls: true },
}

/** A Bellhop that accepts these secrets, and the addresses that were asked. */
function bellhop(accepted: string[]) {
  const asked: string[] = []
  const toBellhop: typeof fetch = async (url, { headers, body } = {}) => {
    const sent = new Headers(headers)
    const [id, timestamp] = [sent.get('webhook-id') ?? '', sent.get('webhook-timestamp') ?? '']
    const signature = (key: string) => hookSignature(key, { id, timestamp, body: Buffer.from(String(body)) })
    const isAccepted = accepted.some((each) =>
      each.startsWith('whsec_')
        ? sent.get('webhook-signature') === signature(each)
        : sent.get('x-gitlab-token') === each,
    )
    asked.push(String(url))
    return new Response(null, { status: isAccepted ? 202 : 401 })
  }
  return { asked, toBellhop }
}

test.each([
  ['master keys', { masterKeys: keys }, newKey, oldKey, '/hooks/7'],
  ['master keys that sign', { masterKeys: keys, signs: true }, newSigning, oldSigning, '/hooks/7'],
  ['shared secrets', { tokens: ['new', 'old'] }, 'new', 'old', '/hooks'],
  ['shared signing tokens', { signing: [newSigning, oldSigning] }, newSigning, oldSigning, '/hooks'],
])('of %s, the new and the old one must be accepted', async (_name, secrets, newest, older, path) => {
  const given = { ...place, ...secrets }
  const both = bellhop([newest, older])
  await requireBothAccepted(given, 7, both.toBellhop)
  expect(both.asked).toEqual([`http://bellhop${path}`, `http://bellhop${path}`])
  await expect(requireBothAccepted(given, 7, bellhop([older]).toBellhop)).rejects.toThrow(
    'refuses the new secret (401)',
  )
  await expect(requireBothAccepted(given, 7, bellhop([newest]).toBellhop)).rejects.toThrow(
    'refuses the old secret (401)',
  )
})

test('a Bellhop that redirects or does not answer has accepted nothing', async () => {
  const given = { ...place, tokens: ['new', 'old'] }
  const answer = (response: () => Response) => requireBothAccepted(given, 7, async () => response())
  await expect(answer(() => new Response(null, { status: 302 }))).rejects.toThrow('(302). Nothing was changed.')
  const gone = () => {
    throw new Error('gone')
  }
  await expect(answer(gone)).rejects.toThrow('does not answer')
})

test.each([
  ['one shared secret', { tokens: ['only'] }, false],
  ['one secret token and one signing token', { tokens: ['only'], signing: ['only'] }, false],
  ['one master key beside two shared secrets, which it replaces', { masterKeys: ['only'], tokens: ['a', 'b'] }, false],
  ['two master keys', { masterKeys: keys }, true],
  ['two signing tokens', { signing: ['a', 'b'] }, true],
])('%s: rotating needs two', (_name, secrets, isEnough) => {
  const attempt = () => requireTwo({ ...place, ...secrets })
  if (isEnough) attempt()
  else expect(attempt).toThrow('There is only one secret.')
})
