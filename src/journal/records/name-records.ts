// Names: the path of a project, the title of a merge request or an issue, and where the service shows them.
import { isProject } from '../../rules/facts/definition/subject-ref.ts'
import type { MergeRequestRef } from '../../rules/types.ts'
import type { JournalStore } from '../stores/store.ts'
import type { Journal, MergeRequestName, ProjectName, RefName } from '../types.ts'
import { key, mergeRequestKey } from './keys.ts'
import { parsed, type Records } from './records.ts'

type Puts = NonNullable<Parameters<JournalStore['write']>[0]['put']>

/** Reads what `putProjectName` and `putMergeRequestName` store. */
export function nameRecords(store: JournalStore, records: Records): Pick<Journal, 'names' | 'projectAt'> {
  return {
    async names(refs) {
      const keys = [...new Set(refs.flatMap((ref) => [projectKey(ref), ...(hasTitle(ref) ? [keyOf(ref)] : [])]))]
      const texts = new Map((await store.read(keys)).map((text, at) => [keys[at], text]))
      const read = <T>(name: string) => {
        const text = texts.get(name)
        return text === undefined ? undefined : parsed<T>(text)
      }
      return refs.map((ref) =>
        joined(read<ProjectName>(projectKey(ref)), hasTitle(ref) ? read<MergeRequestName>(keyOf(ref)) : undefined, ref),
      )
    },
    projectAt: (path) => records.one<number>(pathKey(path)),
  }
}

/** The older path stays: the service redirects it too. */
export function putProjectName(project: number, name: ProjectName, keepMs: number): Puts {
  return [
    { key: projectKey({ project }), value: JSON.stringify(name), keepMs },
    { key: pathKey(name.path), value: JSON.stringify(project), keepMs },
  ]
}

/** Nothing where the name is unknown. */
export function putMergeRequestName(
  { project, iid = 0 }: Partial<MergeRequestRef>,
  name: MergeRequestName | undefined,
  keepMs: number,
): Puts {
  if (name === undefined || project === undefined || isProject({ iid })) return []
  return [{ key: keyOf({ project, iid }), value: JSON.stringify(name), keepMs }]
}

function joined(
  project: ProjectName | undefined,
  name: MergeRequestName | undefined,
  { iid = 0 }: { iid?: number },
): RefName {
  const title = name === undefined ? {} : { title: name.title }
  if (project === undefined) return title
  const { path, url: page } = project
  // Anybody with the hook's secret chooses the address in a payload: only pages within the project count.
  const own = name?.url.startsWith(`${page}/`) ? name.url : undefined
  const url = isProject({ iid }) ? page : own
  return { path, ...title, ...(url !== undefined && /^https?:\/\//.test(url) ? { url } : {}) }
}

/** A merge request or an issue. */
const hasTitle = <T extends { iid?: number }>(ref: T): ref is T & { iid: number } => !isProject({ iid: ref.iid ?? 0 })
const keyOf = (ref: MergeRequestRef) => mergeRequestKey('name', ref)
const projectKey = ({ project }: { project: number }) => key('project name', project)
const pathKey = (path: string) => key('project at', path.toLowerCase())
