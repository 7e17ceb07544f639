// The bodies that hooks would have had, from what the service shows: intake reads them as it reads deliveries.
import type { Tolerant } from '../../api/endpoint.ts'
import type { BodyOf } from '../../rules/facts/definition/source.ts'
import { isIssue, numberOf } from '../../rules/facts/definition/subject-ref.ts'
import type { MergeRequestRef } from '../../rules/types.ts'
import type { ListedEntry } from './sweep-lists.ts'

/** One event that happened; `head` and `target` are those of the merge request at that time. */
export interface SeenEvent {
  /** The id of its delivery: always the same for the same event. */
  id: string
  /** Milliseconds since 1970, by the service's clock. */
  at: number
  header: string
  body(then: { head?: string | undefined; target?: string | undefined }): object
}

type User = ListedEntry['author']

export type ListedNote = Tolerant<BodyOf<'mergeRequests.notes.list'>[number]>
export type ListedLabelEvent = Tolerant<BodyOf<'mergeRequests.labelEvents.list'>[number]>
export type ListedPipeline = Tolerant<BodyOf<'repository.pipelines.list'>[number]>

/** What is known of the merge request or issue of an event, and of its project. */
export interface EventSubject {
  ref: MergeRequestRef
  path: string
  entry: ListedEntry
}

const personOf = (user: User) => ({ id: user?.id, username: user?.username })

/** The merge request with its head and target at that time, or the issue, as a payload links it. */
function linkOf({ ref, entry }: EventSubject, { head, target }: Parameters<SeenEvent['body']>[0] = {}) {
  const { title, web_url: url, confidential } = entry
  const common = { iid: numberOf(ref), title, url, confidential }
  if (isIssue(ref)) return common
  const { source_branch, source_project_id, target_branch: present } = entry
  const source = { source_branch, source_project_id, last_commit: { id: head } }
  return { ...common, ...source, target_branch: target ?? present, target_project_id: ref.project }
}

const kindOf = ({ ref }: EventSubject) => (isIssue(ref) ? 'issue' : 'merge_request')
const projectOf = ({ ref, path }: EventSubject) => ({ id: ref.project, path_with_namespace: path })

export function noteEvent(subject: EventSubject, note: ListedNote, at: number): SeenEvent {
  const isInternal = note.internal === true || note.confidential === true
  const noteable_type = isIssue(subject.ref) ? 'Issue' : 'MergeRequest'
  return {
    id: `run-note-${subject.ref.project}-${note.id}`,
    at,
    header: 'Note Hook',
    body: (then) => ({
      object_kind: 'note',
      event_type: isInternal ? 'confidential_note' : 'note',
      user: personOf(note.author),
      project: projectOf(subject),
      object_attributes: { id: note.id, note: note.body, noteable_type, action: 'create', system: false },
      [kindOf(subject)]: linkOf(subject, then),
    }),
  }
}

/** Opened, closed or merged. */
export function stateEvent(
  subject: EventSubject,
  { action, user, at }: { action: 'open' | 'close' | 'merge'; user: User; at: number },
): SeenEvent {
  const { project, iid } = subject.ref
  return {
    id: `run-${action}-${project}-${iid}-${at}`,
    at,
    header: 'State Hook',
    body: (then) => ({
      object_kind: kindOf(subject),
      user: personOf(user),
      project: projectOf(subject),
      object_attributes: { ...linkOf(subject, then), action },
    }),
  }
}

/** A label that was added or removed. */
export function labelEvent(subject: EventSubject, event: ListedLabelEvent, at: number): SeenEvent {
  const titles = [{ title: event.label?.name }]
  const labels = event.action === 'add' ? { previous: [], current: titles } : { previous: titles, current: [] }
  return {
    id: `run-label-${subject.ref.project}-${event.id}`,
    at,
    header: 'Label Hook',
    body: (then) => ({
      object_kind: kindOf(subject),
      user: personOf(event.user),
      project: projectOf(subject),
      changes: { labels },
      object_attributes: { ...linkOf(subject, then), action: 'update', updated_at: event.created_at },
    }),
  }
}

/** The merge request that it ran for; a branch may have a name like that of its ref. */
export function iidOf({ ref, source }: ListedPipeline): number | undefined {
  const [, iid] = /^refs\/merge-requests\/([1-9]\d*)\//.exec(ref ?? '') ?? []
  return iid === undefined || source !== 'merge_request_event' ? undefined : Number(iid)
}

/** A pipeline in its last state; `iid`: the merge request that it is known to be of, else 0. */
export function pipelineEvent(
  project: { id: number; path: string; iid: number },
  pipeline: ListedPipeline,
  at: number,
): SeenEvent {
  const { id, sha, ref, status, source } = pipeline
  const iid = iidOf(pipeline) ?? project.iid
  return {
    id: `run-pipeline-${project.id}-${id}-${status}`,
    at,
    header: 'Pipeline Hook',
    body: () => ({
      object_kind: 'pipeline',
      project: { id: project.id, path_with_namespace: project.path },
      object_attributes: { id, sha, ref, status, source },
      ...(iid === 0 ? {} : { merge_request: { iid, target_project_id: project.id } }),
    }),
  }
}
