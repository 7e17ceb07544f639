// An event, and the merge request that it is about, as rules and the journal use them.

/** A merge request: target project's id and iid; iid 0 is the project itself, below 0 an issue (subject-ref.ts). */
export interface MergeRequestRef {
  project: number
  iid: number
}

/** Who did something, according to the delivery. An old delivery may name no id. */
export interface Actor {
  id?: number
  username?: string
}

/** What a delivery says happened, reduced to the parts that rules and the journal use. */
export interface Event {
  /** `merge_request.open`, `merge_request.update`, `push`, `pipeline.success`, `note.create` … */
  kind: string
  project?: number
  actor: Actor
  /** ISO 8601, when the delivery was received. */
  at: string
  /** The iid of the merge request or issue that the event names; for an issue it is below 0 (subject-ref.ts). */
  iid?: number
  /** Only for a push: the head before and after. `from` is null if the merge request was just opened. */
  pushed?: { from: string | null; to: string }
  /** The head of the merge request at that moment, if the delivery says it. */
  head?: string
  /** The target branch of the merge request at that moment, if the delivery says it. */
  target?: string
  /** The branch or tag of a push, a pipeline, a release or a deployment. */
  ref?: string
  /** What a push did to its branch or tag. */
  refChange?: 'created' | 'updated' | 'deleted'
  /** Only for pipeline events. */
  pipeline?: { id: number; sha: string; status: string; source?: string }
  /** For updates: the names of the changed fields. */
  changed?: string[]
  /** Only for note events. `mentions` is false if no line begins with a mention, so that there is no command. */
  note?: { id: number; mentions?: boolean }
}

/** The origin of a merge request. Its author is absent until it was evaluated. */
export interface MergeRequestOrigin {
  project: number
  branch: string
  author?: string
}

/** One pending event of a merge request, as event rules see it. */
export interface Occurrence {
  /** The delivery's id: the same event counts once. */
  id: string
  event: Event
}
