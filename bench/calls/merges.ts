// Merge requests that Bellhop merges when their pipelines succeed, as in the small projects that most people have.
import type { SmallWorld } from '../../src/cli/demo/small-world.ts'

type World = Pick<SmallWorld, 'people' | 'openMergeRequest' | 'pipeline' | 'settle' | 'as' | 'project'>

const rulesWith = (more: string) => `version: 1
rules:
  - name: Merge what is green
    if: { pipeline: success, draft: false, target_branch: master, changed_files: { none: ".gitlab-ci.yml" }${more} }
    then: { accept: { squash: false } }
`
export const mergeRules = rulesWith('')
export const approvedRules = rulesWith(', approvals_given: { at_least: 1 }')

/** Opens merge requests whose pipelines begin and end; each seventh fails. Resolves to how many were merged. */
export async function mergeGreenOnes(world: World, count: number, { approved = false } = {}): Promise<number> {
  for (let n = 1; n <= count; n += 1) {
    const branch = `work-${n}`
    const files = { [`src/file-${n}.ts`]: `${n}\n` }
    const { sha, iid } = await world.openMergeRequest({ as: world.people.alice, branch, title: `Work ${n}`, files })
    await world.settle()
    if (approved) {
      await world.as(world.people.renovate).mergeRequests.approve({ id: world.project, merge_request_iid: iid })
      await world.settle()
    }
    for (const state of ['pending', 'running', n % 7 === 0 ? 'failed' : 'success'] as const) {
      await world.pipeline(sha, branch, state)
      await world.settle()
    }
  }
  const { as, people, project } = world
  const alice = as(people.alice)
  const merged = alice.pages(alice.mergeRequests.list, { id: project, state: 'merged' }, { maxPages: 5 })
  return (await merged.collect()).items.length
}
