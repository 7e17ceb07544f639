// How people read the name of a project or merge request: `group/app`, `group/app!12 · title`.

/** A ref with what is known of its name; without an iid, or with 0, it is the project. */
export interface NamedRef {
  project: number
  iid?: number | undefined
  /** The full path of the project. */
  path?: string | undefined
  title?: string | undefined
  /** Its page of the service. */
  url?: string | undefined
}

/** `group/app!12`; `!12 of project 7` where the path is unknown. */
export function refName({ project, iid = 0, path }: NamedRef): string {
  if (iid === 0) return path ?? `project ${project}`
  return path === undefined ? `!${iid} of project ${project}` : `${path}!${iid}`
}

/** `group/app!12 · title`. */
export function fullRefName(ref: NamedRef): string {
  return ref.title === undefined ? refName(ref) : `${refName(ref)} · ${ref.title}`
}
