// The project and its group, as older and newer services say them.
import { describe, expect, it } from 'vitest'
import { answer, answers, decideRule } from '../world.ts'

const found = (condition: string, project: object) =>
  decideRule(`{ ${condition} }`, '{ subscribe: true }', { answers: answers({}, { project: answer(project) }) }).rules[0]
    ?.conditions
const unsaid = 'unknown: the hosting service does not say'
const namespace = (kind: string) => ({ namespace: { kind, full_path: 'acme/tools' } })

describe('the project', () => {
  it.each([
    ['project_path: x', { path_with_namespace: 'acme/door' }, '"acme/door"'],
    ['project_path: x', {}, unsaid],
    ['group: x', namespace('group'), '"acme/tools"'],
    ['group: x', namespace('user'), 'none'],
    ['group: x', namespace('planet'), unsaid],
    ['group: x', { namespace: null }, unsaid],
    ['project_visibility: public', { visibility: 'internal' }, '"internal"'],
    ['project_visibility: public', { visibility: null }, unsaid],
    ['project_archived: true', { archived: true }, 'true'],
    ['project_archived: true', {}, unsaid],
    ['topics: x', { topics: ['rust'], tag_list: ['old'] }, '"rust"'],
    ['topics: x', { tag_list: ['old'] }, '"old"'],
    ['topics: x', { topics: [] }, 'none'],
    ['topics: x', {}, unsaid],
    ['merge_method: ff', { merge_method: 'ff' }, '"ff"'],
    ['merge_method: ff', {}, unsaid],
    ['only_allow_merge_if_pipeline_succeeds: true', { only_allow_merge_if_pipeline_succeeds: true }, 'true'],
    ['only_allow_merge_if_pipeline_succeeds: true', {}, unsaid],
    [
      'only_allow_merge_if_all_discussions_are_resolved: true',
      { only_allow_merge_if_all_discussions_are_resolved: false },
      'false',
    ],
    [
      'only_allow_merge_if_all_discussions_are_resolved: true',
      { only_allow_merge_if_all_discussions_are_resolved: null },
      unsaid,
    ],
  ])('%s of %j is %s', (condition, project, expected) => {
    expect(found(condition, project)?.actual).toBe(expected)
  })
  it('is found by a glob over its path, in which a star stops at a slash', () => {
    const verdict = (glob: string) =>
      found(`project_path: { glob: "${glob}" }`, { path_with_namespace: 'acme/tools/door' })?.verdict
    expect([verdict('acme/**'), verdict('acme/*')]).toEqual(['true', 'false'])
    expect(found('group: { glob: "acme/*" }', namespace('group'))?.verdict).toBe('true')
  })
})
