// A freeze by hand in the whole bot: nothing merges, tests go on, and what waited merges afterwards. On Redis.
import { queueNotePurpose } from '../../../src/bot/evaluation/entry-calls.ts'
import { resumeQueue } from '../../../src/merge-queue/operate.ts'
import { withMark } from '../../../src/rules/actions/definition/action-calls.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { shareQueueWorld } from './queue-world.ts'

const rules = `version: 1
queues: [{ name: main, target: master }]
rules:
  - name: directly
    if: { pipeline: success, labels: { any: [direct] } }
    then: { accept: true }
  - name: by the queue
    if: { pipeline: success, labels: { none: [direct] } }
    then: { accept: { queue: main } }
`
onRedis((url) => {
  const inNewProject = shareQueueWorld(() => ({ queueUrl: url() }))

  test('a Maintainer freezes by a comment, and ends it', async () => {
    const world = await inNewProject(rules)
    const { renovate, alice } = world.people
    const queued = await world.enter('queued')
    const direct = await world.open('direct')
    await world.update(direct.iid, { labels: 'direct' })
    await world.say(queued.iid, '@bellhop freeze 2h', alice)
    expect((await world.notes(queued.iid)).join()).toContain('only a maintainer or above may')

    await world.say(queued.iid, '@bellhop freeze 2h because the release', renovate)
    await world.pipeline(direct.sha, direct.branch, 'success')
    await world.report(1, 'success')
    expect(await world.states(queued, direct)).toEqual(['opened', 'opened'])
    expect((await world.notes(queued.iid)).join('\n')).toMatch(/Waiting for: freeze until .* UTC \(the release\)/)
    await world.say(direct.iid, '@bellhop why', alice)
    expect((await world.notes(direct.iid)).join()).toMatch(/Not merged: frozen until .* UTC \(the release\)/)
    const [audited] = (await world.bellhop.journal.audit.list({ limit: 1 })).items
    expect(audited).toMatchObject({ operation: 'freeze', by: renovate.username, why: 'the release', status: 202 })

    await world.say(direct.iid, '@bellhop freeze end', renovate)
    expect(await world.states(direct)).toEqual(['merged'])
    await world.reportAll()
    expect(await world.states(queued)).toEqual(['merged'])
  })

  test('an operator freezes for two hours: a label makes an exception, and the others merge when it is over', async () => {
    const world = await inNewProject(rules)
    const [one, two] = [await world.enter('one'), await world.enter('two')]
    const until = new Date(Date.now() + 2 * 60 * 60_000).toISOString()
    const freeze = { until, except: ['hotfix'], by: 'ann', at: new Date().toISOString() }
    await world.bellhop.bot.freezes.change(world.project, freeze)
    await world.settle()
    for (const build of [1, 2]) await world.report(build, 'success')
    expect(await world.states(one, two)).toEqual(['opened', 'opened'])
    await world.update(two.iid, { labels: 'hotfix' })
    await world.report(3, 'success')
    expect(await world.states(one, two)).toEqual(['opened', 'merged'])
    for (const build of await world.numbers()) await world.report(build, 'success')
    expect(await world.states(one)).toEqual(['opened'])
    await world.after(121)
    expect(await world.states(one)).toEqual(['merged'])
  })
  test('a journal that does not know the notes of the queue lets it wait until somebody resumes it', async () => {
    const world = await inNewProject(rules)
    const { iid, sha, branch } = await world.open('queued')
    const body = withMark('Merge queue: Position 1 of 1.', queueNotePurpose) ?? ''
    await world.as(world.people.bellhop).mergeRequests.notes.create({ ...world.ref(iid), body })
    await world.pipeline(sha, branch, 'success')
    await world.settle()
    expect([await world.pausedBy(), await world.numbers()]).toEqual(['journal_new', []])
    expect((await world.notes(iid)).join()).toContain('a pause or a freeze may be lost')
    await world.bellhop.journal.mergeQueues.change(
      world.queueRef,
      (record) => record && resumeQueue(record, Date.now()),
    )
    await world.after(1)
    await world.report(1, 'success')
    expect(await world.states({ iid })).toEqual(['merged'])
  })
})
