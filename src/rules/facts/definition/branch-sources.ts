// What the service says of one branch by its name: its head, and the merge requests from it.

import { PAGE, source } from './source.ts'

export const branchSources = {
  branch: source({
    ofProject: true,
    doc: 'A branch of the project, by name.',
    endpoint: 'repository.branches.get',
    params: (ref, _answers, instance) => (instance === undefined ? null : { id: ref.project, branch: instance }),
    cost: 4,
  }),
  mergeRequestsFrom: source({
    ofProject: true,
    doc: 'The merge requests from a branch, by name, in any state.',
    endpoint: 'mergeRequests.list',
    params: (ref, _answers, instance) =>
      instance === undefined
        ? null
        : { id: ref.project, source_branch: instance, state: 'all', scope: 'all', per_page: PAGE },
    cost: 3,
    list: true,
    complete: (body) => body.length < PAGE,
  }),
}
