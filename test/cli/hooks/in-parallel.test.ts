// A task for many projects: what stops one, what stops all, and how many run at once.
import { forEachProject } from '../../../src/cli/hooks/targets.ts'
import { ServiceError, type ServiceErrorFacts } from '../../../src/client/errors.ts'

const projects = Array.from({ length: 20 }, (_, index) => ({ id: index + 1, path: `hotel/p${index + 1}` }))
const error = (facts: Partial<ServiceErrorFacts>) =>
  new ServiceError({
    kind: 'refused',
    target: { name: 'x', method: 'GET' },
    path: '/x',
    mayHaveBeenApplied: false,
    ...facts,
  })
const quiet = { atOnce: 4, onDone: () => {} }

async function failingAt(project: number, facts: Partial<ServiceErrorFacts>) {
  let [running, most] = [0, 0]
  const task = async ({ id }: { id: number }) => {
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    running -= 1
    if (id === project) throw error(facts)
    return { result: 'made', details: [] }
  }
  const done = await forEachProject(projects, task, quiet)
  const count = (result: string) => done.outcomes.filter((each) => each.result === result).length
  return { ...done, most, made: count('made'), failed: count('failed'), notTried: count('not_tried') }
}

test.each([403, 404, 422, 500])('%i of one project stops no other; four run at once', async (status) => {
  const done = await failingAt(3, { status })
  expect([done.made, done.failed, done.notTried, done.ended, done.most]).toEqual([19, 1, 0, undefined, 4])
  const details = [expect.stringContaining(String(status))]
  expect(done.outcomes[2]).toMatchObject({ project: 3, path: 'hotel/p3', bad: true, details })
})

test.each([
  ['a service that is away', { kind: 'unreachable' as const }],
  ['a rate limit that lasts', { kind: 'rate_limited' as const, status: 429 }],
  ['a token that expired', { status: 401 }],
])('%s stops all; the rest is not tried, and counts as bad', async (_name, facts) => {
  const done = await failingAt(3, facts)
  expect(done.ended).toBeInstanceOf(ServiceError)
  expect(done.notTried).toBeGreaterThan(10)
  expect(done.made + done.failed + done.notTried).toBe(20)
  expect(done.outcomes.filter(({ result, bad }) => result === 'not_tried' && bad !== true)).toEqual([])
})

test('an error of our own is thrown, not listed', async () => {
  const broken = async () => {
    throw new TypeError('ours')
  }
  await expect(forEachProject(projects, broken, quiet)).rejects.toThrow('ours')
})
