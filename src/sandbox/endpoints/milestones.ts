// Milestones of a project: everyone who sees it reads them, reporters write them, as in GitLab.
import type { Api } from '../../api/index.ts'
import { findProject, findProjectToChange, reporter } from '../access/access.ts'
import { isDate } from '../access/expiry.ts'
import { badParameter, forbidden, invalid, notFound } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { showMilestone } from '../issues/show.ts'
import { defined, pick } from '../records/fields.ts'
import type { Project, User } from '../records/records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'

export const milestones: Handlers<Api['milestones']> = {
  list({ params, caller, world }) {
    const project = findTracker(world, caller, params.id)
    const search = params.search?.toLowerCase() ?? ''
    const found = world.milestones
      .where('project', project.id)
      .filter((milestone) => params.iids === undefined || params.iids.includes(milestone.iid))
      .filter((milestone) => params.state === undefined || milestone.state === params.state)
      .filter((milestone) => params.title === undefined || milestone.title === params.title)
      .filter(
        (milestone) =>
          milestone.title.toLowerCase().includes(search) || milestone.description.toLowerCase().includes(search),
      )
    return pageOf(found.reverse(), params, showMilestone)
  },

  get: ({ params, caller, world }) =>
    showMilestone(findMilestone(world, findTracker(world, caller, params.id), params.milestone_id)),

  create({ params, caller, world }) {
    const project = findWritable(world, caller, params.id)
    checkTitle(world, project, params.title)
    const time = now(world)
    const milestone = world.milestones.add({
      id: nextNumber(world, 'milestones'),
      iid: nextNumber(world, `milestones of ${project.id}`),
      project_id: project.id,
      title: params.title,
      description: params.description ?? '',
      state: 'active',
      created_at: time,
      updated_at: time,
      due_date: dateOf(params.due_date ?? ''),
    })
    return showMilestone(milestone)
  },

  update({ params, caller, world }) {
    const project = findWritable(world, caller, params.id)
    const milestone = findMilestone(world, project, params.milestone_id)
    if (params.title !== undefined) checkTitle(world, project, params.title, milestone.id)
    const updated = world.milestones.update(milestone.id, {
      ...defined(pick(params, 'title', 'description')),
      ...(params.due_date !== undefined && { due_date: dateOf(params.due_date) }),
      ...(params.state_event !== undefined && { state: params.state_event === 'close' ? 'closed' : 'active' }),
      updated_at: now(world),
    })
    return showMilestone(updated)
  },
}

/** Throws 403 where both issues and merge requests are disabled. */
function findTracker(world: World, caller: User | null, id: number | string) {
  const project = findProject(world, caller, id)
  if (!project.issues_enabled && !project.merge_requests_enabled) throw forbidden()
  return project
}

function findWritable(world: World, caller: User, id: number | string) {
  return findProjectToChange(world, caller, findTracker(world, caller, id).id, reporter)
}

function findMilestone(world: World, project: Project, id: number) {
  const milestone = world.milestones.get(id)
  if (milestone?.project_id !== project.id) throw notFound()
  return milestone
}

function checkTitle(world: World, project: Project, title: string, except?: number) {
  if (title.trim() === '') throw invalid('title', "can't be blank")
  const taken = world.milestones
    .where('project', project.id)
    .some((milestone) => milestone.title === title && milestone.id !== except)
  if (taken) throw invalid('title', 'already being used for another group or project milestone.')
}

/** The empty string is null; throws 400 for an invalid date. */
function dateOf(text: string): string | null {
  if (text === '') return null
  if (!isDate(text)) throw badParameter('due_date is invalid')
  return text
}
