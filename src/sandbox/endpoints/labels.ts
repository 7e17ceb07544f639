// Labels of a project: everyone who sees it reads them, reporters write them, as in GitLab.
import type { Api } from '../../api/index.ts'
import { projectToChange, reporter, visibleProject } from '../access/access.ts'
import { invalid, orNotFound, refuse } from '../http/error-response.ts'
import { type Handlers, on, pageOf, type SharedHandlers } from '../http/handler.ts'
import { addLabel } from '../merge-requests/labels.ts'
import { noteableAt } from '../notes/noteable.ts'
import { pick } from '../records/fields.ts'
import { contains, filtered } from '../records/filter.ts'
import type { Label, Project } from '../records/records.ts'
import { showUserById } from '../records/show-records.ts'
import type { World } from '../storage/world.ts'

export const labels: Handlers<Api['labels']> = {
  list: on(visibleProject, ({ project, params, world }) => {
    const found = filtered(world.labels.where('project', project.id), params, {
      search: ({ title, description }, text) => contains(title, text) || contains(description ?? '', text),
    })
    const byName = found.sort((a, b) => a.title.localeCompare(b.title) || a.id - b.id)
    return pageOf(byName, params, showLabel)
  }),

  create: on(projectToChange(reporter), ({ project, params, world }) => {
    const { color, description } = params
    const title = checkLabel(params.name, color)
    if (world.labels.where('project', project.id).some((label) => label.title === title))
      throw refuse(409, 'Label already exists')
    return showLabel(addLabel(world, { project_id: project.id, title, color, description: description || null }))
  }),

  get: on(visibleProject, ({ project, params, world }) => showLabel(findLabel(world, project, params.label))),

  update: on(projectToChange(reporter), ({ project, params, world }) => {
    const label = findLabel(world, project, params.label)
    const { new_name = label.title, color = label.color, description } = params
    const title = checkLabel(new_name, color)
    const isOther = ({ id, title: taken }: Label) => id !== label.id && taken === title
    if (world.labels.where('project', project.id).some(isOther)) throw invalid('title', 'has already been taken')
    replaceInWorks(world, project, label.title, [title])
    return showLabel(world.labels.update(label.id, { title, color, description }))
  }),

  delete: on(projectToChange(reporter), ({ project, params, world }) => {
    const label = findLabel(world, project, params.label)
    world.labels.remove(label.id)
    replaceInWorks(world, project, label.title, [])
    return null
  }),
}

/** Returns the title. Throws 400 for an invalid one, and for a colour that is none. */
function checkLabel(name: string, color: string): string {
  const title = name.trim()
  // Lists of labels are separated by commas.
  if (title === '' || title.includes(',')) throw invalid('title', 'is invalid')
  if (!/^(?:#(?:[0-9a-f]{3}|[0-9a-f]{6})|[a-z]+)$/i.test(color)) throw invalid('color', 'must be a valid color code')
  return title
}

function replaceInWorks(world: World, project: Project, title: string, by: readonly string[]) {
  for (const works of [world.mergeRequests, world.issues])
    for (const { id, labels } of works.where('project', project.id))
      if (labels.includes(title)) works.update(id, { labels: labels.flatMap((name) => (name === title ? by : name)) })
}

function showLabel({ id, title, color, description }: Label) {
  return { id, name: title, color, description }
}

/** A number may be an id or a title. */
function findLabel(world: World, project: Project, idOrName: number | string) {
  const all = world.labels.where('project', project.id)
  return orNotFound(
    all.find((each) => each.id === idOrName) ?? all.find((each) => each.title === String(idOrName)),
    'Label',
  )
}

export const labelEvents: SharedHandlers<Api['mergeRequests']['labelEvents'], Api['issues']['labelEvents']> = {
  list: on(noteableAt, ({ noteable: { type, record }, params, world }) =>
    pageOf(world.labelEvents.where('noteable', `${type}:${record.id}`), params, (event) => {
      const label = world.labels.get(event.label_id)
      return {
        ...pick(event, 'id', 'created_at', 'action'),
        user: showUserById(world, event.user_id),
        resource_type: type,
        resource_id: record.id,
        label: label === undefined ? null : showLabel(label),
      }
    }),
  ),
}
