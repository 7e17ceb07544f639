// The project and its group, as older and newer services say them.
import { actualOf, unsaid } from '../actual.ts'
import { answer, answers, verdictOf } from '../world.ts'

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
    ['squash_option: never', { squash_option: 'always' }, '"always"'],
    ['squash_option: never', {}, '"default_off"'],
    ['merge_trains_enabled: true', { merge_trains_enabled: true, merge_pipelines_enabled: true }, 'true'],
    ['merge_trains_enabled: true', { merge_trains_enabled: true, merge_pipelines_enabled: false }, 'false'],
    ['merge_trains_enabled: true', {}, 'false'],
    ['allow_merge_on_skipped_pipeline: true', { allow_merge_on_skipped_pipeline: true }, 'true'],
    ['allow_merge_on_skipped_pipeline: true', {}, 'false'],
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
      'false',
    ],
    ['only_allow_merge_if_all_discussions_are_resolved: true', {}, unsaid],
  ])('%s of %j is %s', (condition, project, expected) => {
    expect(actualOf(condition, {}, { project: answer(project) })).toBe(expected)
  })
  it('is found by a glob over its path, in which a star stops at a slash', () => {
    const verdict = (condition: string, project: object) =>
      verdictOf(`{ ${condition} }`, { answers: answers({}, { project: answer(project) }) })
    const project = { path_with_namespace: 'acme/tools/door' }
    expect(verdict('project_path: { glob: "acme/**" }', project)).toBe('true')
    expect(verdict('project_path: { glob: "acme/*" }', project)).toBe('false')
    expect(verdict('group: { glob: "acme/*" }', namespace('group'))).toBe('true')
  })
})
