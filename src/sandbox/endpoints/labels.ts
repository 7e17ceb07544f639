// Labels of a project, as in real installations: everyone who sees it reads them, reporters write them.
import type { Api } from '../../api/index.ts'
import { findProject, findProjectFor, reporter } from '../access.ts'
import { refuseArchived } from '../archived.ts'
import { type Handlers, pageOf } from '../handler.ts'
import type { Label, Project, User } from '../records.ts'
import { invalid, notFound, refuse } from '../refusal.ts'
import { nextNumber, now, type World } from '../world.ts'

export const labels: Handlers<Api['labels']> = {
  list({ params, caller, world }) {
    const project = findProject(world, caller, params.id)
    const search = params.search?.toLowerCase() ?? ''
    const found = world.labels
      .where('project', project.id)
      .filter((label) => label.title.toLowerCase().includes(search) || label.description?.toLowerCase().includes(search))
      .sort((a, b) => a.title.localeCompare(b.title) || a.id - b.id)
    return pageOf(found, params, showLabel)
  },

  create({ params, caller, world }) {
    const project = findWritable(world, caller, params.id)
    const title = params.name.trim()
    // A comma separates labels wherever they are named.
    if (title === '' || title.includes(',')) throw invalid('title', 'is invalid')
    const color = colorOf(params.color)
    if (world.labels.where('project', project.id).some((label) => label.title === title)) throw refuse(409, 'Label already exists')
    const label = world.labels.add({
      id: nextNumber(world, 'labels'),
      project_id: project.id,
      title,
      color,
      description: params.description || null,
      created_at: now(world),
    })
    return showLabel(label)
  },

  delete({ params, caller, world }) {
    const project = findWritable(world, caller, params.id)
    const label = findLabel(world, project, params.label)
    world.labels.remove(label.id)
    const without = (names: readonly string[]) => names.filter((name) => name !== label.title)
    for (const mr of world.mergeRequests.where('project', project.id)) {
      if (mr.labels.includes(label.title)) world.mergeRequests.update(mr.id, { labels: without(mr.labels) })
    }
    for (const issue of world.issues.where('project', project.id)) {
      if (issue.labels.includes(label.title)) world.issues.update(issue.id, { labels: without(issue.labels) })
    }
    return null
  },
}

/** A label as other resources show it too. */
export function showLabel({ id, title, color, description }: Label) {
  return { id, name: title, color, description }
}

function findWritable(world: World, caller: User, id: number | string): Project {
  const project = findProjectFor(world, caller, id, reporter)
  refuseArchived(project)
  return project
}

/** A number may be an id or the name of a label that is called so. */
function findLabel(world: World, project: Project, idOrName: number | string): Label {
  const all = world.labels.where('project', project.id)
  const label = all.find((each) => each.id === idOrName) ?? all.find((each) => each.title === String(idOrName))
  if (label === undefined) throw notFound('Label')
  return label
}

/** The colours of CSS 2.1; they are kept as numbers. */
const namedColors = new Map([
  ['black', '#000000'],
  ['silver', '#C0C0C0'],
  ['gray', '#808080'],
  ['white', '#FFFFFF'],
  ['maroon', '#800000'],
  ['red', '#FF0000'],
  ['purple', '#800080'],
  ['fuchsia', '#FF00FF'],
  ['green', '#008000'],
  ['lime', '#00FF00'],
  ['olive', '#808000'],
  ['yellow', '#FFFF00'],
  ['navy', '#000080'],
  ['blue', '#0000FF'],
  ['teal', '#008080'],
  ['aqua', '#00FFFF'],
  ['orange', '#FFA500'],
])

function colorOf(given: string): string {
  const color = namedColors.get(given) ?? given
  if (!/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(color)) throw invalid('color', 'must be a valid color code')
  return color
}
