// Intake by the rules: events without a merge request, and deliveries that no rule can match.
import { inject } from 'vitest'
import { createRuleCache } from '../../../src/bot/rule-files/read-rule-file.ts'
import { createRuleFiles } from '../../../src/bot/rule-files/rule-files.ts'
import type { RuleFiles } from '../../../src/bot/rule-files/rules-in-force.ts'
import type { Mode } from '../../../src/rules/types.ts'
import { playService } from '../../client/world.ts'
import { file as ruleFile } from '../../rules/world.ts'
import { holds } from '../rule-files/rule-files-world.ts'
import { rulesOfVersion, useStores } from '../stores.ts'
import { testContext } from '../test-context.ts'
import { A, enqueued, intakesOn, opened } from './intake-world.ts'

const stores = useStores()
playService()
const makeIntake = intakesOn(stores)

/** The rules of this text in every project; `onRead` is called for each read. */
function withRules(text: string | (() => string), { mode = 'act' as Mode, onRead = () => {} } = {}): RuleFiles {
  const empty = rulesOfVersion('')
  return {
    ...empty,
    async inForce(project) {
      onRead()
      const rules = await empty.inForce(project)
      const files = [ruleFile(typeof text === 'string' ? text : text())]
      return { ...rules, files, policy: { ...rules.policy, mode } }
    },
  }
}

describe('an event without a merge request', () => {
  const tell =
    'rules:\n  - name: tell\n    on: [tag_push, issue.*, merge_request.merge]\n    then: { notify: { to: team, text: Hello } }\n'
  const tagged = {
    ...{ object_kind: 'tag_push', project_id: 7, user_id: 3 },
    ...{ ref: 'refs/tags/v1', before: '0'.repeat(40), after: A },
  }
  const project = { project: 7, iid: 0 }

  test('enqueues the project where a rule is for it, without a call', async () => {
    const intake = makeIntake({ ruleFiles: withRules(tell) })
    const { id, record } = await intake.take(tagged)
    expect(record).toMatchObject({ state: 'read', mergeRequests: [project] })
    expect(await stores.journal.events.pending(project)).toMatchObject([
      { deliveryId: id, event: { kind: 'tag_push', ref: 'v1', refChange: 'created', actor: { id: 3 } } },
    ])
    await intake.take({ object_kind: 'issue', project: { id: 7 }, object_attributes: { action: 'open', iid: 4 } })
    expect(await stores.journal.events.pending(project)).toHaveLength(2)
    expect(await enqueued(intake)).toEqual([0])
  })

  test('enqueues nothing where no rule of the project is for it, or the project is turned off', async () => {
    const other =
      'rules:\n  - name: a\n    on: push\n    then: { notify: { to: team, text: Hello } }\n  - name: b\n    on: note.create\n    then: { subscribe: true }\n'
    for (const ruleFiles of [withRules(other), withRules(tell, { mode: 'off' })]) {
      const intake = makeIntake({ ruleFiles })
      expect((await intake.take(tagged)).record).toMatchObject({
        state: 'no_merge_request',
        reason: expect.stringContaining('no merge request'),
      })
      expect(await enqueued(intake)).toEqual([])
    }
  })

  test('of a kind that no rule can name does not read the rules', async () => {
    const onRead = () => expect.fail('the rules were read')
    await makeIntake({ ruleFiles: withRules(tell, { onRead }) }).take({ object_kind: 'build', project_id: 7 })
  })

  test('and an event of a merge request enqueue what a rule acts on', async () => {
    const welcome = '  - name: welcome\n    on: merge_request.open\n    then: { subscribe: true }\n'
    const intake = makeIntake({ ruleFiles: withRules(`${tell}${welcome}`) })
    await intake.take({ ...opened, object_attributes: { iid: 2, action: 'merge' } })
    await intake.take(opened)
    expect(await enqueued(intake)).toEqual([0, 2])
    expect(await stores.journal.events.pending(project)).toHaveLength(1)
  })

  test('looks for changed rules in a merge request that is opened, and leaves that to its evaluation if there is one', async () => {
    const welcome = 'rules:\n  - name: welcome\n    on: merge_request.open\n    then: { subscribe: true }\n'
    const lookedAt = async (rules: string) => {
      const intake = makeIntake({ ruleFiles: withRules(rules) })
      await intake.take(opened)
      const jobs = await intake.ruleChanges.list(['waiting', 'prioritized'], 0, 10)
      return jobs.map(({ data }) => data.iid)
    }
    expect([await lookedAt(welcome), await lookedAt(tell)]).toEqual([[], [2]])
  })
})

/** Which events change what rules do: test/rules/engine/triggers.test.ts. */
describe('a delivery that no rule can match', () => {
  const ofRenovate =
    'rules:\n  - name: of renovate\n    if: { source_branch: { glob: "renovate/**" } }\n    then: { approve: true }\n'
  const updated = (source_branch: unknown) => ({
    object_kind: 'merge_request',
    project: { id: 7 },
    object_attributes: { iid: 2, action: 'update', source_branch, source_project_id: 7, target_project_id: 7 },
  })
  const ref = { project: 7, iid: 2 }

  test('enqueues nothing, without a call, and records why', async () => {
    const intake = makeIntake({ ruleFiles: withRules(ofRenovate) })
    const reason = 'No rule waits for it, or what it says rules them out.'
    const { record } = await intake.take(updated('feature'))
    expect(record).toMatchObject({ state: 'no_merge_request', reason, mergeRequests: [ref] })
    expect(await stores.journal.events.pending(ref)).toEqual([])
    expect(await enqueued(intake)).toEqual([])
  })

  test.each<[string, unknown]>([
    ['it comes from another branch', 'renovate/vitest'],
    ['it does not say from which branch it comes', undefined],
    ['its branch is no text', { glob: 'feature' }],
  ])('is enqueued all the same where %s', async (_name, branch) => {
    const intake = makeIntake({ ruleFiles: withRules(ofRenovate) })
    await intake.take(updated(branch))
    expect(await enqueued(intake)).toEqual([2])
  })

  test.each<[string, object]>([
    ['a rule matched', { rules: { 'a.yml#a': { fingerprint: 'f', matched: true, done: [] } } }],
    ['an approval may have to be withdrawn', { of: { approve: A } }],
  ])('is enqueued all the same where %s before', async (_what, memory) => {
    const intake = makeIntake({ ruleFiles: withRules(ofRenovate) })
    await stores.journal.mergeRequests.save(ref, { memory: { rules: {}, pushes: [], ...memory } })
    await intake.take(updated('feature'))
    expect(await enqueued(intake)).toEqual([2])
  })

  test('is one of an author whom no rule is for, once an evaluation read the author', async () => {
    const intake = makeIntake({
      ruleFiles: withRules(ofRenovate.replace('source_branch: { glob: "renovate/**" }', 'author: bot')),
    })
    await intake.take(updated('feature'))
    expect(await enqueued(intake)).toEqual([2])
    const origin = { project: 7, branch: 'feature', author: 'ann' }
    await stores.journal.mergeRequests.save(ref, { memory: { rules: {}, pushes: [] }, keeps: false, origin })
    expect((await intake.take(updated('feature'))).record).toMatchObject({ state: 'no_merge_request' })
  })

  test('is enqueued by a replay after the rules changed', async () => {
    let text = ofRenovate
    const intake = makeIntake({ ruleFiles: withRules(() => text) })
    const { id } = await intake.take(updated('feature'))
    text = ofRenovate.replace('renovate/**', '**')
    await intake.again(id)
    expect(await enqueued(intake)).toEqual([2])
    expect(await stores.journal.events.pending(ref)).toMatchObject([{ event: { kind: 'merge_request.update' } }])
  })
})

test('a note enqueues nothing where no rule depends on notes; a replay does, and one that may be a command', async () => {
  const note = (text: string) => ({
    ...{ object_kind: 'note', project: { id: 7 }, merge_request: { iid: 2, target_project_id: 7 } },
    object_attributes: { id: 31, note: text, noteable_type: 'MergeRequest', action: 'create' },
  })
  const ruleFiles = withRules('rules:\n  - { name: a, if: { draft: false }, then: { subscribe: true } }\n')
  const intake = makeIntake({ ruleFiles })
  const { id, record } = await intake.take(note('Position 1 of 2.'))
  expect(record).toMatchObject({ state: 'no_merge_request' })
  expect(await enqueued(intake)).toEqual([])
  await intake.again(id)
  expect(await enqueued(intake)).toEqual([2])
  const other = makeIntake({ ruleFiles })
  await other.take(note('@bellhop why'))
  expect(await enqueued(other)).toEqual([2])
})

// Over several connections to the journal, what is taken at once has no order.
test.skipIf(inject('postgres') !== undefined)(
  'deliveries that wait for the first reading of the rules add their events in the order of arrival',
  async () => {
    const ruleFiles = createRuleFiles(testContext({ journal: stores.journal }), createRuleCache())
    const text = 'version: 1\nrules:\n  - name: seen\n    if: { draft: false }\n    then: { subscribe: true }\n'
    holds(text)
    const intake = makeIntake({ ruleFiles })
    const ids = Array.from({ length: 10 }, (_, n) => `in-order-${n}`)
    await Promise.all(
      ids.map((id, n) =>
        intake.take({ ...opened, object_attributes: { iid: 2, action: 'update', title: String(n) } }, id),
      ),
    )
    const pending = await stores.journal.events.pending({ project: 7, iid: 2 })
    expect(pending.map(({ deliveryId }) => deliveryId)).toEqual(ids)
  },
)
