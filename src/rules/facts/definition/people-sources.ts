// Sources that are one of several, by name or id: people and groups, branches and commits.
import { isMap } from '../../language/values/shapes.ts'
import { byInstance, ofMergeRequest, PAGE, type Source, source } from './source.ts'

/** At most 20 open reviews of one person are counted. */
const OPEN_REVIEWS = { scope: 'all', state: 'opened', view: 'simple', per_page: 20 }

/** How long an answer about people and their groups is cached. */
export const KEPT_FOR_MS = 5 * 60_000

const ofMembers = { cachedForMs: KEPT_FOR_MS, cost: 4, paged: true } as const

export const peopleSources = {
  user: source({
    ofProject: true,
    doc: 'A user, by name.',
    endpoint: 'users.list',
    params: byInstance((username) => ({ username })),
    cost: 3,
    list: true,
  }),
  group: source({
    ofProject: true,
    doc: 'A group, by its path: whether everybody may see it.',
    endpoint: 'groups.get',
    params: byInstance((id) => ({ id, with_projects: false })),
    cachedForMs: KEPT_FOR_MS,
    cost: 3,
  }),
  groupMembers: source({
    ofProject: true,
    doc: 'The members of a group, by its path: direct and inherited ones, the first 2,000 of them.',
    endpoint: 'groups.members.listAll',
    params: byInstance((id) => ({ id, per_page: PAGE })),
    ...ofMembers,
  }),
  groupDirectMembers: source({
    ofProject: true,
    doc: 'The direct members of a group, by its path: the first 2,000 of them.',
    endpoint: 'groups.members.list',
    params: byInstance((id) => ({ id, per_page: PAGE })),
    ...ofMembers,
  }),
  projectMembers: source({
    ofProject: true,
    doc: 'The direct members of the project, for the roles that CODEOWNERS names.',
    endpoint: 'projects.members.list',
    params: (ref) => ({ id: ref.project, per_page: PAGE }),
    ...ofMembers,
  }),
  userStatus: source({
    ofProject: true,
    doc: 'What a user says of themselves: whether they are busy.',
    endpoint: 'users.status',
    params: byInstance((id) => ({ user_id: Number(id) })),
    cachedForMs: KEPT_FOR_MS,
    cost: 5,
  }),
  // One small page is enough to compare people.
  openReviews: source({
    ofProject: true,
    doc: 'Open merge requests that a user reviews, in all projects that Bellhop sees: the first 20.',
    endpoint: 'mergeRequests.listAll',
    params: byInstance((reviewer_username) => ({ ...OPEN_REVIEWS, reviewer_username })),
    cachedForMs: KEPT_FOR_MS,
    cost: 6,
    list: true,
  }),
  reviewerStates: source({
    doc: 'The reviewers, with the state of each review.',
    endpoint: 'mergeRequests.reviewers',
    cost: 4,
    list: true,
    params: ofMergeRequest,
  }),
}

const ofTwoCommits: Source['params'] = (ref, _answers, instance) => {
  const [from, to] = instance?.split('..') ?? []
  return from === undefined || to === undefined ? null : { id: ref.project, from, to }
}

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
    params: ofTwoCommits,
    cost: 6,
    complete: (body) => body.compare_timeout !== true,
  }),
  contentComparison: source({
    doc: 'Whether two heads of its branch, `<id>..<id>`, bring the same content to the target branch: git compares them.',
    endpoint: 'repository.compare',
    params: ofTwoCommits,
    comparedByGit: true,
    cachedForMs: KEPT_FOR_MS,
    cost: 7,
  }),
}
