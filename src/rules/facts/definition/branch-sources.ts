// Sources about one branch by its name, and about commits, which a backport needs.

import { isMap } from '../../language/values/shapes.ts'
import { byInstance, PAGE, source } from './source.ts'

/** A branch with more commits is left to people: each commit costs a call. */
export const MOST_COMMITS = 20

const ALL = { state: 'all', scope: 'all' }

export const branchSources = {
  branch: source({
    ofProject: true,
    doc: 'A branch of the project, by name.',
    endpoint: 'repository.branches.get',
    params: byInstance((branch, ref) => ({ id: ref.project, branch })),
    cost: 4,
  }),
  mergeRequestsFrom: source({
    ofProject: true,
    doc: 'The merge requests from a branch, by name, in any state.',
    endpoint: 'mergeRequests.list',
    params: byInstance((source_branch, ref) => ({ id: ref.project, source_branch, ...ALL, per_page: PAGE })),
    cost: 3,
    list: true,
    complete: (body) => body.length < PAGE,
  }),
  history: source({
    ofProject: true,
    doc: 'A commit, by its id, and those before it. A merge request’s own list has no parents in GitLab.',
    endpoint: 'repository.commits.list',
    params: byInstance((ref_name, ref) => ({ id: ref.project, ref_name, per_page: MOST_COMMITS })),
    cost: 4,
    list: true,
  }),
  commonWithTarget: source({
    doc: 'The newest commit that a commit, by its id, has in common with the target branch.',
    endpoint: 'repository.mergeBase',
    params: (ref, { mergeRequest: read }, instance) => {
      const target = read?.ok && isMap(read.body) ? read.body.target_branch : undefined
      // The full name: a tag may have the same short one.
      return instance === undefined || typeof target !== 'string'
        ? null
        : { id: ref.project, refs: [`refs/heads/${target}`, instance] }
    },
    cost: 4,
  }),
  comparison: source({
    ofProject: true,
    doc: 'What changes between two commits, `<id>..<id>`.',
    endpoint: 'repository.compare',
    params: (ref, _answers, instance) => {
      const [from, to] = instance?.split('..') ?? []
      return from === undefined || to === undefined ? null : { id: ref.project, from, to }
    },
    cost: 6,
    complete: (body) => body.compare_timeout !== true,
  }),
}
