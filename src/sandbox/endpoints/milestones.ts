// Milestones of a project, as in real installations: everyone who sees it reads them, reporters write them.
import type { Api } from '../../api/index.ts'
import { findProject, findProjectFor, reporter } from '../access.ts'
import { refuseArchived } from '../archived.ts'
import { type Handlers, pageOf } from '../handler.ts'
import { showMilestone } from '../issues/show.ts'
import type { Milestone, Project, User } from '../records.ts'
import { badParameter, forbidden, invalid, notFound } from '../refusal.ts'
import { nextNumber, now, type World } from '../world.ts'

export const milestones: Handlers<Api['milestones']> = {
  list({ params, caller, world }) {
    const project = findTracker(world, caller, params.id)
    const search = params.search?.toLowerCase() ?? ''
    const found = world.milestones
      .where('project', project.id)
      .filter((milestone) => params.iids === undefined || params.iids.includes(milestone.iid))
      .filter((milestone) => params.state === undefined || milestone.state === params.state)
      .filter((milestone) => params.title === undefined || milestone.title === params.title)
      .filter((milestone) => milestone.title.toLowerCase().includes(search) || milestone.description.toLowerCase().includes(search))
    return pageOf(found.reverse(), params, showMilestone)
  },

  get: ({ params, caller, world }) => showMilestone(findMilestone(world, findTracker(world, caller, params.id), params.milestone_id)),

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
      ...(params.title !== undefined && { title: params.title }),
      ...(params.description !== undefined && { description: params.description }),
      ...(params.due_date !== undefined && { due_date: dateOf(params.due_date) }),
      ...(params.state_event !== undefined && { state: params.state_event === 'close' ? 'closed' : 'active' }),
      updated_at: now(world),
    })
    return showMilestone(updated)
  },
}

/** Milestones belong to issues and merge requests: where both are switched off there are none. */
function findTracker(world: World, caller: User | null, id: number | string): Project {
  const project = findProject(world, caller, id)
  if (!project.issues_enabled && !project.merge_requests_enabled) throw forbidden()
  return project
}

function findWritable(world: World, caller: User, id: number | string): Project {
  const project = findProjectFor(world, caller, findTracker(world, caller, id).id, reporter)
  refuseArchived(project)
  return project
}

function findMilestone(world: World, project: Project, id: number): Milestone {
  const milestone = world.milestones.get(id)
  if (milestone?.project_id !== project.id) throw notFound()
  return milestone
}

function checkTitle(world: World, project: Project, title: string, except?: number): void {
  if (title.trim() === '') throw invalid('title', "can't be blank")
  const taken = world.milestones.where('project', project.id).some((milestone) => milestone.title === title && milestone.id !== except)
  if (taken) throw invalid('title', 'already being used for another group or project milestone.')
}

/** Empty is no date; one that the calendar does not know is refused. */
function dateOf(text: string): string | null {
  if (text === '') return null
  const time = Date.parse(`${text}T00:00:00Z`)
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) throw badParameter('due_date is invalid')
  return text
}
