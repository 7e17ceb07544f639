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
    const title = checkTitle(params.name)
    checkColor(params.color)
    if (world.labels.where('project', project.id).some((label) => label.title === title))
      throw refuse(409, 'Label already exists')
    const { color, description } = params
    return showLabel(addLabel(world, { project_id: project.id, title, color, description: description || null }))
  }),

  get: on(visibleProject, ({ project, params, world }) => showLabel(findLabel(world, project, params.label))),

  update: on(projectToChange(reporter), ({ project, params, world }) =>
    changeLabel(world, project, findLabel(world, project, params.label), params),
  ),

  updateNamed: on(projectToChange(reporter), ({ project, params, world }) =>
    changeLabel(world, project, findLabel(world, project, params.name), params),
  ),

  delete: on(projectToChange(reporter), ({ project, params, world }) => {
    const label = findLabel(world, project, params.label)
    world.labels.remove(label.id)
    replaceInWorks(world, project, label.title, [])
    return null
  }),
}

function checkTitle(name: string): string {
  const title = name.trim()
  // Lists of labels are separated by commas.
  if (title === '' || title.includes(',')) throw invalid('title', 'is invalid')
  return title
}

function checkColor(color: string) {
  if (!/^(?:#(?:[0-9a-f]{3}|[0-9a-f]{6})|[a-z]+)$/i.test(color)) throw invalid('color', 'must be a valid color code')
}

interface LabelChanges {
  new_name?: string
  color?: string
  description?: string
}

function changeLabel(world: World, project: Project, label: Label, { new_name, color, description }: LabelChanges) {
  const title = new_name === undefined ? label.title : checkTitle(new_name)
  if (color !== undefined) checkColor(color)
  const others = world.labels.where('project', project.id).filter(({ id }) => id !== label.id)
  if (others.some((each) => each.title === title)) throw invalid('title', 'has already been taken')
  replaceInWorks(world, project, label.title, [title])
  return showLabel(world.labels.update(label.id, { title, color, description }))
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
