// The sources of facts: each is one read call of the contract, as data.
import { callData } from '../../../api/call-data.ts'
import { isMap } from '../../language/values/shapes.ts'
import type { Event, SourceAnswers } from '../../types.ts'
import { closingSources } from './closing-references.ts'
import { dependencySources } from './dependency-references.ts'
import { branchSources, KEPT_FOR_MS, peopleSources } from './people-sources.ts'
import { pushEventsSource } from './push-history.ts'
import { selectPipeline, statusPlace } from './select-pipeline.ts'
import { byInstance, named, ofIssue, ofMergeRequest, PAGE, type Source, source, versionOf } from './source.ts'

function sentBody(answers: SourceAnswers, name: string): unknown {
  const answer = Object.hasOwn(answers, name) ? answers[name] : undefined
  return answer?.ok ? answer.body : undefined
}

function fieldOf(answers: SourceAnswers, name: string): unknown {
  const body = sentBody(answers, 'mergeRequest')
  return isMap(body) ? body[name] : undefined
}

function authorOf(answers: SourceAnswers): number | undefined {
  const author = fieldOf(answers, 'author')
  const id = isMap(author) ? author.id : undefined
  return Number.isSafeInteger(id) && Number(id) > 0 ? Number(id) : undefined
}

export const sources = named({
  mergeRequest: source({
    doc: 'The merge request itself.',
    endpoint: 'mergeRequests.get',
    params: (ref) => ({ ...ofMergeRequest(ref), include_rebase_in_progress: true }),
    ofIssue: (ref) => callData('issues.get', ofIssue(ref)),
    cost: 1,
  }),
  // It has no version: only a push to the target branch changes it.
  divergence: source({
    doc: 'How many commits its source branch is behind its target branch.',
    endpoint: 'mergeRequests.get',
    params: (ref) => ({ ...ofMergeRequest(ref), include_diverged_commits_count: true }),
    cost: 2,
  }),
  project: source({
    ofProject: true,
    doc: 'The project that the merge request goes into.',
    endpoint: 'projects.get',
    params: (ref) => ({ id: ref.project }),
    cost: 2,
  }),
  // Approvals have no version: after a push the service removes them or counts them for the new head.
  approvals: source({
    doc: 'Who approved, and what is missing.',
    endpoint: 'mergeRequests.approvals',
    cost: 3,
  }),
  mergeTrain: source({
    doc: 'Its place on a merge train, where the project has merge trains.',
    endpoint: 'mergeTrains.get',
    cost: 3,
  }),
  pipelines: source({
    doc: 'The newest pipelines, where the merge request names no head pipeline, or one of its merge train.',
    endpoint: 'mergeRequests.pipelines',
    cost: 4,
    list: true,
  }),
  pipelineCommit: source({
    doc: 'The commit of the pipeline, whose parents tell whether it merges the head.',
    endpoint: 'repository.commits.get',
    params: (ref, answers) => {
      const pipeline = selectPipeline(fieldOf(answers, 'head_pipeline'), sentBody(answers, 'pipelines'))
      const isRead = typeof pipeline === 'object' && /^[0-9a-f]{7,64}$/.test(pipeline.sha)
      return isRead ? { id: ref.project, sha: pipeline.sha } : null
    },
    cost: 5,
  }),
  commits: source({
    doc: 'The commits.',
    endpoint: 'mergeRequests.commits',
    cost: 6,
    list: true,
    // Only one page: the next one shows no head, and may belong to another.
    complete: (body) => body.length < PAGE,
    // The newest commit comes first.
    version: ([newest]) => ({ head: newest?.id }),
  }),
  changes: source({
    doc: 'The changed files with their diffs.',
    endpoint: 'mergeRequests.changes',
    pagedCalls: ['mergeRequests.diffs', 'mergeRequests.versions.list'],
    cost: 10,
    complete: (body) => {
      const total = Number(body.changes_count ?? 0)
      const listed = Array.isArray(body.changes) ? body.changes.length : 0
      // `1000+` is no number. Fails closed: a list shorter than its count is cut.
      return body.overflow !== true && Number.isFinite(total) && listed >= total
    },
    version: versionOf,
  }),
  versions: source({
    doc: 'The versions of its changes: one for each push.',
    endpoint: 'mergeRequests.versions.list',
    cost: 4,
    paged: true,
    version: ([newest]) => ({ head: newest?.head_commit_sha }),
  }),
  closesIssues: source({
    doc: 'The issues that its merge closes.',
    endpoint: 'mergeRequests.closesIssues',
    cost: 5,
    paged: true,
  }),
  ...closingSources,
  ...branchSources,
  ...dependencySources,
  pushEvents: pushEventsSource,
  labelEvents: source({
    doc: 'Who added and removed labels.',
    endpoint: 'mergeRequests.labelEvents.list',
    ofIssue: (ref) => callData('issues.labelEvents.list', { ...ofIssue(ref), per_page: PAGE }),
    cost: 4,
    paged: true,
  }),
  relatedMergeRequests: source({
    doc: 'The merge requests that mention the issue.',
    endpoint: 'issues.relatedMergeRequests',
    params: () => null,
    ofIssue: (ref) => callData('issues.relatedMergeRequests', { ...ofIssue(ref), per_page: PAGE }),
    cost: 5,
    paged: true,
  }),
  participants: source({
    doc: 'Who takes part.',
    endpoint: 'mergeRequests.participants',
    ofIssue: (ref) => callData('issues.participants', { ...ofIssue(ref), per_page: PAGE }),
    cost: 5,
    paged: true,
  }),
  mergedOfAuthor: source({
    doc: 'The newest merge requests of the author that the project merged.',
    endpoint: 'mergeRequests.list',
    params: (ref, answers) => {
      const author_id = authorOf(answers)
      return author_id === undefined
        ? null
        : { id: ref.project, state: 'merged', scope: 'all', author_id, per_page: PAGE }
    },
    cost: 5,
    list: true,
    complete: (body) => body.length < PAGE,
  }),
  sameSource: source({
    doc: 'The open merge requests of the project with the same source branch.',
    endpoint: 'mergeRequests.list',
    params: (ref, answers) => {
      const branch = fieldOf(answers, 'source_branch')
      return typeof branch !== 'string' || branch === ''
        ? null
        : { id: ref.project, state: 'opened', scope: 'all', source_branch: branch, per_page: PAGE }
    },
    cost: 4,
    list: true,
    complete: (body) => body.length < PAGE,
  }),
  statuses: source({
    doc: 'The statuses with the name that a rule sets, where it sets it, and who set them.',
    endpoint: 'repository.statuses.list',
    params: (_ref, answers, instance) => {
      const place = statusPlace(sentBody(answers, 'mergeRequest'))
      return place === undefined || instance === undefined
        ? null
        : { id: place.project, sha: place.sha, ref: place.ref, name: instance, per_page: PAGE }
    },
    cost: 4,
    paged: true,
  }),
  authorAccess: source({
    ofIssue: 'same',
    doc: 'What the author may do in the project.',
    endpoint: 'projects.members.get',
    params: (ref, answers) => {
      const user_id = authorOf(answers)
      return user_id === undefined ? null : { id: ref.project, user_id }
    },
    cost: 3,
  }),
  authorAccessIn: source({
    doc: 'What the author may do in another project.',
    endpoint: 'projects.members.get',
    params: (_ref, answers, instance) => {
      const user_id = authorOf(answers)
      return user_id === undefined || instance === undefined ? null : { id: Number(instance), user_id }
    },
    cost: 3,
  }),
  otherProject: source({
    doc: 'Another project, which has an issue that the merge closes or a merge request that it depends on.',
    endpoint: 'projects.get',
    params: byInstance((id) => ({ id: Number(id) })),
    cost: 3,
  }),
  actorAccess: source({
    ofProject: true,
    doc: 'What the person who caused the event may do in the project.',
    endpoint: 'projects.members.get',
    params: byInstance((user, ref) => ({ id: ref.project, user_id: Number(user) })),
    instance: (event) => event.actor.id,
    cost: 3,
  }),
  codeOwners: source({
    doc: 'A CODEOWNERS file of the target branch, by its path.',
    endpoint: 'repository.files.get',
    params: (ref, answers, instance) => {
      const target = fieldOf(answers, 'target_branch')
      // The full name: a tag may have the same short one.
      return instance === undefined || typeof target !== 'string'
        ? null
        : { id: ref.project, file_path: instance, ref: `refs/heads/${target}` }
    },
    cachedForMs: KEPT_FOR_MS,
    cost: 4,
  }),
  ...peopleSources,
  milestone: source({
    ofProject: true,
    doc: 'A milestone of the project or of a group above it, by title.',
    endpoint: 'milestones.list',
    // Newer services also call it `include_ancestors`.
    params: byInstance((title, ref) => ({ id: ref.project, title, include_parent_milestones: true })),
    cost: 3,
    list: true,
  }),
  notes: source({
    doc: 'The notes on it.',
    endpoint: 'mergeRequests.notes.list',
    ofIssue: (ref) => callData('issues.notes.list', { ...ofIssue(ref), per_page: PAGE }),
    cost: 6,
    paged: true,
  }),
  note: source({
    doc: 'The note of the event, read back.',
    endpoint: 'mergeRequests.notes.get',
    params: byInstance((note, ref) => ({ ...ofMergeRequest(ref), note_id: Number(note) })),
    ofIssue: (ref, instance) =>
      instance === undefined ? null : callData('issues.notes.get', { ...ofIssue(ref), note_id: Number(instance) }),
    instance: (event) => event.note?.id,
    cost: 2,
  }),
})

/** The source that is read again just before a call with `revalidate` is sent. */
export const mergeRequestSource = sources.mergeRequest.name

/** The name of a source's answer, with its instance; undefined if the event has no such instance. */
export function answerName(source: Pick<Source, 'name' | 'instance'>, event: Event | undefined, named?: string) {
  if (named !== undefined) return `${source.name}@${named}`
  if (source.instance === undefined) return source.name
  const instance = event === undefined ? undefined : source.instance(event)
  return instance === undefined ? undefined : `${source.name}@${instance}`
}

/** What follows the `@` of an answer's name. */
export function instanceOf(name: string): string | undefined {
  const at = name.indexOf('@')
  return at === -1 ? undefined : name.slice(at + 1)
}

/** The source of an answer's name (`note@17`), for names that come from outside. */
export function sourceNamed(answer: string): Source | undefined {
  const name = answer.split('@')[0] ?? answer
  return Object.hasOwn(sources, name) ? ((sources as Record<string, Source<never>>)[name] as Source) : undefined
}
