// Approval rules of projects and merge requests (GitLab Premium; hosting-service.md §3.2).
import type { Api } from '../../api/index.ts'
import {
  canSeeGroup,
  developer,
  findProjectFor,
  findProjectToChange,
  maintainer,
  memberLevelIn,
} from '../access/access.ts'
import { anyApproverId, rulesFor, rulesOfProject } from '../approvals/rules.ts'
import { showApprovalState, showRule } from '../approvals/show.ts'
import { ErrorResponse, invalid, notFound } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { isPremium } from '../installation.ts'
import { findMergeRequest } from '../merge-requests/find.ts'
import { defined } from '../records/fields.ts'
import type { ApprovalRule, Project, User } from '../records/records.ts'
import { nextNumber, now, projectById, type World } from '../storage/world.ts'

interface GivenRule {
  name?: string | undefined
  approvals_required?: number | undefined
  user_ids?: readonly number[] | undefined
  group_ids?: readonly number[] | undefined
}

/** GitLab Free has no such route. */
function refuseFree(world: World) {
  if (!isPremium(world)) throw new ErrorResponse(404, { error: '404 Not Found' })
}

export const approvalRules: Handlers<Api['projects']['approvalRules']> = {
  list({ params, caller, world }) {
    refuseFree(world)
    const project = findProjectFor(world, caller, params.id, developer)
    return pageOf(rulesOfProject(world, project), params, (rule) => showRule(world, rule, caller))
  },

  get({ params, caller, world }) {
    refuseFree(world)
    const project = findProjectFor(world, caller, params.id, developer)
    return showRule(world, findRule(world, project, params.approval_rule_id), caller)
  },

  create({ params, caller, world }) {
    refuseFree(world)
    const project = findProjectToChange(world, caller, params.id, maintainer)
    if (params.rule_type === 'any_approver') return createAnyApprover(world, project, params.approvals_required, caller)
    refuseTakenName(world, project, params.name)
    const rule = world.approvalRules.add({
      id: nextNumber(world, 'approval rules') * 2,
      project_id: project.id,
      rule_type: 'regular',
      name: params.name,
      approvals_required: params.approvals_required,
      user_ids: [],
      group_ids: [],
      ...approversIn(world, project, caller, params),
    })
    return showRule(world, rule, caller)
  },

  update({ params, caller, world }) {
    refuseFree(world)
    const project = findProjectToChange(world, caller, params.id, maintainer)
    const rule = findRule(world, project, params.approval_rule_id)
    if (rule.rule_type === 'any_approver') {
      requireFromAnybody(world, project, params.approvals_required ?? rule.approvals_required)
      return showRule(world, { ...rule, ...defined({ approvals_required: params.approvals_required }) }, caller)
    }
    if (params.name !== undefined) refuseTakenName(world, project, params.name, rule.id)
    const given = defined({ name: params.name, approvals_required: params.approvals_required })
    const changed = { ...given, ...approversIn(world, project, caller, params) }
    return showRule(world, world.approvalRules.update(rule.id, changed), caller)
  },

  delete({ params, caller, world }) {
    refuseFree(world)
    const project = findProjectToChange(world, caller, params.id, maintainer)
    const rule = findRule(world, project, params.approval_rule_id)
    if (rule.rule_type === 'any_approver') requireFromAnybody(world, project, 0)
    else world.approvalRules.remove(rule.id)
    return null
  },
}

export const mergeRequestRules: Handlers<Pick<Api['mergeRequests'], 'approvalState' | 'approvalRules'>> = {
  approvalState({ params, caller, world }) {
    refuseFree(world)
    return showApprovalState(world, findMergeRequest(world, caller, params).mr, caller)
  },

  approvalRules({ params, caller, world }) {
    refuseFree(world)
    const { mr } = findMergeRequest(world, caller, params)
    return pageOf(rulesFor(world, mr), params, (rule) => showRule(world, rule, caller))
  },
}

function findRule(world: World, project: Project, id: number): ApprovalRule {
  const rule = rulesOfProject(world, project).find((each) => each.id === id)
  if (rule === undefined) throw notFound()
  return rule
}

function refuseTakenName(world: World, project: Project, name: string, self?: number) {
  if (rulesOfProject(world, project).some((rule) => rule.name === name && rule.id !== self))
    throw invalid('name', 'has already been taken')
}

function createAnyApprover(world: World, project: Project, required: number, caller: User) {
  if (project.approvals_before_merge > 0) throw invalid('rule_type', 'any-approver for the project already exists')
  if (required === 0) throw invalid('approvals_required', 'must be greater than 0')
  const changed = requireFromAnybody(world, project, required)
  return showRule(world, findRule(world, changed, anyApproverId(project.id)), caller)
}

function requireFromAnybody(world: World, { id }: Project, approvals_before_merge: number): Project {
  return world.projects.update(id, { approvals_before_merge, updated_at: now(world) })
}

/** Members of the project, and groups that the caller sees; others are ignored, as in GitLab. */
function approversIn(
  world: World,
  { id }: Project,
  caller: User,
  { user_ids, group_ids }: GivenRule,
): Partial<Pick<ApprovalRule, 'user_ids' | 'group_ids'>> {
  const project = projectById(world, id)
  const isMember = (userId: number) => {
    const user = world.users.get(userId)
    return user !== undefined && memberLevelIn(world, user, project) > 0
  }
  const isVisible = (groupId: number) => {
    const group = world.groups.get(groupId)
    return group !== undefined && canSeeGroup(world, caller, group)
  }
  return defined({
    user_ids: user_ids && [...new Set(user_ids)].filter(isMember),
    group_ids: group_ids && [...new Set(group_ids)].filter(isVisible),
  })
}
