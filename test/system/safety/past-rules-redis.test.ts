// Merges by people past the rules: each is recorded and notified once. On Redis only (backend-independent).
import { pastRulesId } from '../../../src/journal/tables/audit.ts'
import { bellhopHere } from '../../cli/run-here.ts'
import { eventually } from '../../eventually.ts'
import { type NoticeReceiver, startNoticeReceiver } from '../../notice-receiver.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { inNewProject, known, startTestWorld, type TestWorld } from '../world.ts'

const rules = `version: 1
rules:
  - name: merge what is approved
    if: { approvals_given: 1, labels: { none: [hold] } }
    then: { accept: { pipeline: none } }
`

onRedis((queueUrl) => {
  describe.each(['free', 'premium'] as const)('on the tier %s', (tier) => {
    let world: TestWorld
    let receiver: NoticeReceiver
    beforeAll(async () => {
      receiver = await startNoticeReceiver()
      const settings = { BELLHOP_NOTIFY_URL: receiver.url }
      world = await startTestWorld({ rules, queueUrl: queueUrl(), tier, settings })
    })
    afterAll(async () => {
      await world?.end()
      await receiver?.close()
    })

    const entries = async ({ project } = world) =>
      (await world.bellhop.journal.audit.list({ ids: pastRulesId(project, ''), limit: 9 })).items
    const notices = () => receiver.notices('merged_past_rules').map(({ about }) => about)
    const shell = (...args: string[]) =>
      bellhopHere(args, { BELLHOP_ADMIN_URL: world.bellhop.url, BELLHOP_ADMIN_TOKEN: world.adminToken })
    const byHand = async (iid: number, { project, people, settle } = world) => {
      await world.as(people.renovate).mergeRequests.accept({ id: project, merge_request_iid: iid })
      await settle()
    }

    test('one entry and one notification tell of an unapproved merge, also after its delivery is replayed', async () => {
      const before = await entries()
      const { iid } = await world.open('Change the lock')
      await byHand(iid)
      const entry = {
        by: 'renovate-bot',
        operation: 'merge_past_rules',
        to: {
          ...{ project: world.project, iid, rule: 'merge what is approved' },
          ...{ failed: ['approvals_given: expected 1, actual 0'], unknown: [] },
        },
      }
      expect(await entries()).toMatchObject([entry, ...before])
      await eventually(() => expect(notices().filter((about) => 'iid' in about && about.iid === iid)).toHaveLength(1))
      expect(notices()).toContainEqual(
        expect.objectContaining({ by: 'renovate-bot', conditions: entry.to.failed, projectPath: 'hotel/app' }),
      )

      const { items } = await world.bellhop.journal.deliveries.list({ kind: 'merge_request.merge', limit: 1 })
      await shell('deliveries', 'replay', known(items[0]?.id), '--apply')
      await world.say(iid, 'What was that?')
      expect(await entries()).toHaveLength(before.length + 1)
      const notes = (await world.service.mergeRequests.notes.list(world.ref(iid))).body
      expect(notes.filter(({ author }) => author?.username === 'bellhop')).toEqual([])
    })

    test('no entry tells of what the rules allow: approved and merged before Bellhop could', async () => {
      const before = await entries()
      const { iid } = await world.openMergeRequest({ branch: 'allowed' })
      await world.settle()
      const { mergeRequests } = world.bellhop.bot.queues
      await mergeRequests.pause()
      await world.as(world.people.renovate).mergeRequests.approve(world.ref(iid))
      await world.as(world.people.renovate).mergeRequests.accept(world.ref(iid))
      await mergeRequests.resume()
      await world.settle()
      expect(world.calls(iid)).toEqual([])
      expect(await entries()).toEqual(before)
    })

    test('none tells of a merge by Bellhop, which has a receipt', async () => {
      const before = await entries()
      const { iid, sha } = await world.open('Change the roof')
      await world.as(world.people.renovate).mergeRequests.approve(world.ref(iid))
      await world.settle()
      expect((await world.mergeRequest(iid)).state).toBe('merged')
      expect(await entries()).toEqual(before)
      const merge = known((await world.decisions(iid)).find(({ responses }) => responses.length > 0))
      const { out } = await shell('decisions', 'show', merge.id, '--receipt', '--format', 'json')
      expect(JSON.parse(out)).toMatchObject({
        ...{ head: sha, target: 'master', facts: { approvals_given: 1 } },
        ...{ rules: [{ name: 'merge what is approved', file: '.bellhop.yml', line: 3 }] },
        approvals: ['renovate-bot'],
        endpoint: 'mergeRequests.accept',
        commit: (await world.mergeRequest(iid)).merge_commit_sha,
      })
      const { out: text } = await shell('decisions', 'show', merge.id, '--receipt')
      expect(text).toContain(`approvals renovate-bot, for ${sha}`)
    })

    test('a merge request that loosens the rules is evaluated by those before it', async () => {
      const other = await inNewProject(world, rules)
      const looser = rules.replace('approvals_given: 1', 'approvals_given: 0')
      const { iid } = await other.open('Loosen the rules', { files: { '.bellhop.yml': looser } })
      const { journal, bot } = world.bellhop
      await bot.queues.mergeRequests.pause()
      await world.as(world.people.renovate).mergeRequests.accept(other.ref(iid))
      const inForce = async () => (await journal.ruleFiles.find({ project: other.project, path: '.bellhop.yml' }))?.text
      await eventually(async () => expect(await inForce()).toBe(looser))
      await bot.queues.mergeRequests.resume()
      await world.settle()
      const failed = ['approvals_given: expected 1, actual 0']
      expect(await entries(other)).toMatchObject([{ to: { iid, failed } }])
    })

    test('a project without a rule that merges has none', async () => {
      const label = 'version: 1\nrules:\n  - { name: label, if: { state: opened }, then: { label: { add: seen } } }\n'
      const other = await inNewProject(world, label)
      const { iid } = await other.open('Change the door')
      await byHand(iid, other)
      expect((await other.mergeRequest(iid)).state).toBe('merged')
      expect(await entries(other)).toEqual([])
    })
  })
})
