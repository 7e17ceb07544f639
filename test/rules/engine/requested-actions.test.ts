// One wish alone: its own conditions, trust and knowledge, in this order, and only what must be read.
import { answer, answers, decideRule, needsOf, onlyMergeRequest } from '../world.ts'

describe('a requested action', () => {
  it.each([
    ['of a closed merge request reads nothing', '{ approve: true }', onlyMergeRequest({ state: 'closed' }), []],
    ['to merge a draft reads nothing', '{ accept: true }', onlyMergeRequest({ work_in_progress: true }), []],
    [
      'to merge reads at once what tells of hidden issues and what trust requests',
      '{ accept: true }',
      onlyMergeRequest(),
      ['project', 'changes'],
    ],
    [
      'to merge reads only whether it closes hidden issues where trust is given',
      '{ accept: true }',
      { ...onlyMergeRequest(), project: answer({ default_branch: 'main' }), changes: answer({ changes: [] }) },
      ['landingCommits'],
    ],
    [
      'to merge reads the pipeline before it waits for the service',
      '{ accept: true }',
      onlyMergeRequest({ merge_status: 'unchecked', head_pipeline: undefined }),
      ['pipelines'],
    ],
    [
      'that trust refuses reads no approvals',
      '{ approve: true }',
      { ...onlyMergeRequest({ target_branch: 'x' }), project: answer({ default_branch: 'main' }) },
      [],
    ],
  ])('%s', (_what, actions, given, expected) => {
    expect(needsOf('{ author: alice }', actions, given, 'repository')).toEqual(expected)
  })
  it('that is blocked shows its own conditions', () => {
    const decision = decideRule('{ author: alice }', '{ accept: true }', {
      answers: answers({ work_in_progress: true }),
    })
    expect(
      decision.rules[0]?.actions[0]?.conditions?.children?.map((child) => [child.condition, child.verdict]),
    ).toEqual([
      ['state', 'true'],
      ['draft', 'false'],
      ['pipeline', 'true'],
      ['mergeability', 'true'],
    ])
  })
})
