// A rebase runs in the background: Bellhop follows it and says why it failed. On Redis, the quicker backend.
import { onRedis } from '../../servers/on-redis.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `
version: 1
rules:
  - { name: keep up to date, if: { labels: { any: [up to date] } }, then: { rebase: true } }
  - { name: on request, on: note.create, command: rebase, then: { rebase: true } }
`

onRedis((url) => {
  let world: TestWorld
  beforeAll(async () => {
    world = await startTestWorld({ rules, queueUrl: url() })
  })
  afterAll(() => world.end())

  const write = async (branch: string, files: Record<string, string>) => {
    await world.clone.push({ as: world.people.alice, branch, files, message: 'Change files' })
    await world.settle()
  }
  const rebases = (iid: number) =>
    world
      .calls(iid)
      .filter(({ endpoint }) => endpoint === once[0])
      .map(({ endpoint, status }) => [endpoint, status])
  const once = ['mergeRequests.rebase', 202]
  const conflict = /^the rebase failed: Rebase failed: Rebase locally, resolve all conflicts/

  test.each([
    ['a rule', (iid: number) => world.update(iid, { labels: 'up to date' }), 0],
    ['a comment', (iid: number) => world.say(iid, '@bellhop rebase'), 1],
  ])('a conflict is shown with its reason, and not repeated before a push: by %s', async (name, request, place) => {
    const file = `conflict-${place}.txt`
    const { iid, branch } = await world.open(`Conflict of ${name}`, { files: { [file]: 'ours\n' } })
    await write('master', { [file]: 'theirs\n' })
    await request(iid)
    expect(rebases(iid)).toEqual([once])
    const shown = (await world.decisions(iid)).flatMap(({ rules: all }) => all.flatMap(({ actions }) => actions))
    expect(shown).toContainEqual({ action: 'rebase', result: 'blocked', detail: expect.stringMatching(conflict) })
    const said = (await world.service.mergeRequests.notes.list(world.ref(iid))).body.flatMap(({ author, body = '' }) =>
      author?.username === 'bellhop' ? [body] : [],
    )
    expect(said).toEqual(
      place === 0
        ? []
        : [expect.stringMatching(/^`rebase`: not done: the rebase failed: Rebase failed: Rebase locally/)],
    )
    await world.update(iid, { title: 'Another title' })
    expect(rebases(iid)).toEqual([once])
    // The event is over; the rule still matches.
    const again = place === 0 ? [once] : []
    await write(branch, { 'more.txt': 'more\n' })
    expect(rebases(iid)).toEqual([once, ...again])
  })

  test('one that cannot be enqueued now is sent again', async () => {
    const { iid } = await world.open('Busy')
    await write('master', { 'busy.txt': 'busy\n' })
    world.sandbox.faults.api({ endpoint: 'mergeRequests.rebase', times: 1, do: { status: 409 } })
    await world.update(iid, { labels: 'up to date' })
    expect(rebases(iid)).toEqual([['mergeRequests.rebase', 409], once])
  })
})
