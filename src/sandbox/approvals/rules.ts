// The approval rules of a project, and what they still miss for a merge request (Premium; hosting-service.md §3.2).
import { membersOfGroup } from '../access/members.ts'
import { isPremium } from '../installation.ts'
import type { ApprovalRule, MergeRequest, Project } from '../records/records.ts'
import { projectById, type World } from '../storage/world.ts'

/** An odd number of its own: the rules that are stored have even ones. */
export function anyApproverId(projectId: number): number {
  return projectId * 2 - 1
}

/** `approvals_before_merge` as GitLab shows it: a rule that everybody's approval counts for. */
function anyApproverRule({ id, approvals_before_merge }: Project): ApprovalRule {
  return {
    id: anyApproverId(id),
    project_id: id,
    name: 'All Members',
    rule_type: 'any_approver',
    approvals_required: approvals_before_merge,
    user_ids: [],
    group_ids: [],
  }
}

/** None without Premium. */
export function rulesOfProject(world: World, project: Project): readonly ApprovalRule[] {
  if (!isPremium(world)) return []
  const own = world.approvalRules.where('project', project.id)
  return project.approvals_before_merge > 0 ? [anyApproverRule(project), ...own] : own
}

/** The merge request's own number counts only where the project requires approvals (api-v4.md §4.2). */
export function rulesFor(
  world: World,
  mr: Pick<MergeRequest, 'project_id' | 'approvals_before_merge'>,
): ApprovalRule[] {
  return rulesOfProject(world, projectById(world, mr.project_id)).map((rule) =>
    rule.rule_type === 'any_approver'
      ? { ...rule, approvals_required: Math.max(rule.approvals_required, mr.approvals_before_merge ?? 0) }
      : rule,
  )
}

/** The users whose approval a regular rule counts, each once. */
export function approversOf(world: World, rule: ApprovalRule): number[] {
  const members = rule.group_ids.flatMap((id) => {
    const group = world.groups.get(id)
    return group === undefined ? [] : membersOfGroup(world, group).map(({ user_id }) => user_id)
  })
  return [...new Set([...rule.user_ids, ...members])]
}

/** The approvals that the rule counts. */
export function approvalsFor(world: World, rule: ApprovalRule, { approved_by }: MergeRequest): number[] {
  if (rule.rule_type === 'any_approver') return [...approved_by]
  const approvers = new Set(approversOf(world, rule))
  return approved_by.filter((id) => approvers.has(id))
}

/** How many approvals the rule still misses. */
export function missingFor(world: World, rule: ApprovalRule, mr: MergeRequest): number {
  return Math.max(0, rule.approvals_required - approvalsFor(world, rule, mr).length)
}
