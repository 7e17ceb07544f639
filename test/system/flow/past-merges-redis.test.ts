// A backtest finds the rules that merged: each merge request was merged by Bellhop, by a rule with other conditions.
import type { RuleTrial } from '../../../src/admin/api/routes/rule-trials.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { startTestWorld } from '../world.ts'

/** Conditions next to the label and the green pipeline, by the label that chooses the rule. */
const conditions = {
  pipeline: '{ state: opened }',
  author: '{ author: alice }',
  pushed: '{ pushed_by: { all: [alice] } }',
  approved: '{ approvals_given: { at_least: 1 } }',
  'approved-by': '{ approved_by: { any: [renovate-bot] } }',
  files: '{ changed_files: { all: "*.md" }, lines_changed: { at_most: 5 } }',
  clock: '{ clock: { days: [mon, tue, wed, thu, fri, sat, sun] } }',
  quiet: '{ inactive_for: { newer_than: 1h } }',
  open: '{ draft: false, discussions_resolved: true, has_conflicts: false, commits_behind: { at_most: 50 } }',
  words: '{ title: { matches: "^Add " }, commit_titles: { all: { matches: "^Add " } } }',
}
const rules = `version: 1\nrules:\n${Object.entries(conditions)
  .map(([label, more]) => {
    const all = `{ all: [{ labels: { any: [${label}] }, pipeline: success }, ${more}] }`
    return `  - { name: ${label}, if: ${all}, then: { accept: true } }\n`
  })
  .join('')}`

onRedis((url) => {
  test('a backtest finds nine of ten rules that merged', async () => {
    const world = await startTestWorld({ rules, queueUrl: url() })
    const merged = new Map<number, string>()
    for (const label of Object.keys(conditions)) {
      const { iid, sha, branch } = await world.open(`Add ${label}`)
      await world.as(world.people.renovate).mergeRequests.approve(world.ref(iid))
      await world.pipeline(sha, branch, 'success')
      await world.update(iid, { add_labels: label })
      await expect.poll(async () => (await world.mergeRequest(iid)).state, { message: label }).toBe('merged')
      await world.settle()
      merged.set(iid, label)
    }
    const response = await fetch(`${world.bellhop.url}/admin/api/rules/try`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ do: 'backtest', project: world.project, text: rules, last: 50 }),
    })
    const { backtest, reason } = (await response.json()) as RuleTrial
    expect(reason).toBeUndefined()
    const outcomes = (backtest?.outcomes ?? []).map(
      ({ iid, rules: all }) => [merged.get(iid), all.find(({ rule }) => rule === merged.get(iid))?.verdict] as const,
    )
    const labels = Object.keys(conditions)
    expect(outcomes.flatMap(([label, verdict]) => (verdict === 'true' ? [label] : [])).sort()).toEqual(
      // What happened since, such as the note of the merge, would have to be undone.
      labels.filter((label) => label !== 'quiet').sort(),
    )
    await world.end()
  })
})
