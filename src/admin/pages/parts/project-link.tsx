// The deliveries of a project, by its path where that is known.
import { linkTo } from './links.ts'

export function ProjectLink({ of: { project, path } }: { of: { project: number; path?: string } }) {
  return <a href={linkTo('/deliveries', { project: String(project) })}>{path ?? `project ${project}`}</a>
}
