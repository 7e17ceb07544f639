// The page of a project, by its path where that is known.
import { linkTo, pathTo } from './links.ts'

export function ProjectLink({ of: { project, path } }: { of: { project: number; path?: string } }) {
  return <a href={linkTo(pathTo('projects', project))}>{path ?? `project ${project}`}</a>
}
