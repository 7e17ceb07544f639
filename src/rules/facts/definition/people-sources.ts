// Sources about people and their groups, by name: members, who is busy, and who reviews what.

import { byInstance, ofMergeRequest, PAGE, source } from './source.ts'

/** At most 20 open reviews of one person are counted. */
const OPEN_REVIEWS = { scope: 'all', state: 'opened', view: 'simple', per_page: 20 }

/** How long an answer about people and their groups is cached. */
export const KEPT_FOR_MS = 5 * 60_000

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
    cachedForMs: KEPT_FOR_MS,
    cost: 4,
    paged: true,
  }),
  groupDirectMembers: source({
    ofProject: true,
    doc: 'The direct members of a group that CODEOWNERS names.',
    endpoint: 'groups.members.list',
    params: byInstance((id) => ({ id, per_page: PAGE })),
    cachedForMs: KEPT_FOR_MS,
    cost: 4,
    paged: true,
  }),
  projectMembers: source({
    ofProject: true,
    doc: 'The direct members of the project, for the roles that CODEOWNERS names.',
    endpoint: 'projects.members.list',
    params: (ref) => ({ id: ref.project, per_page: PAGE }),
    cachedForMs: KEPT_FOR_MS,
    cost: 4,
    paged: true,
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
