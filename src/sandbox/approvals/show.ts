// Approvals and approval rules as the API shows them (api-v4.md §2.6; hosting-service.md §3.2).
import type { z } from 'zod'
import type { approvalRule as ruleSchema, approvalState as stateSchema } from '../../api/schemas/approval-rule.ts'
import type { approvals as approvalsSchema } from '../../api/schemas/merge-request.ts'
import { canSeeGroup } from '../access/access.ts'
import { isPremium } from '../installation.ts'
import { mayApprove } from '../merge-requests/preconditions.ts'
import { approvalsLeft, approvalsRequired } from '../merge-requests/status.ts'
import { pick } from '../records/fields.ts'
import type { ApprovalRule, MergeRequest, User } from '../records/records.ts'
import { showGroup, showUserById } from '../records/show-records.ts'
import type { World } from '../storage/world.ts'
import { approvalsFor, approversOf, missingFor, rulesFor } from './rules.ts'

/** Free: the approvals alone, and `approved` after one. Premium: both names of what is missing. */
export function showApprovals(world: World, mr: MergeRequest, caller: User): z.output<typeof approvalsSchema> {
  const given = {
    approved_by: mr.approved_by.map((id) => ({ user: showUserById(world, id) })),
    user_has_approved: mr.approved_by.includes(caller.id),
    user_can_approve: mayApprove(world, mr, caller),
  }
  if (!isPremium(world)) return { ...given, approved: mr.approved_by.length > 0 }
  const left = approvalsLeft(world, mr)
  return {
    ...pick(mr, 'id', 'iid', 'project_id', 'title', 'description', 'state', 'merge_status', 'created_at', 'updated_at'),
    approvals_required: approvalsRequired(world, mr),
    approvals_missing: left,
    approvals_left: left,
    approved: left === 0,
    ...given,
  }
}

export function showRule(world: World, rule: ApprovalRule, caller: User): z.output<typeof ruleSchema> {
  const groups = rule.group_ids.flatMap((id) => world.groups.get(id) ?? [])
  const visible = groups.filter((group) => canSeeGroup(world, caller, group))
  return {
    ...pick(rule, 'id', 'name', 'rule_type', 'approvals_required'),
    eligible_approvers: approversOf(world, rule).map((id) => showUserById(world, id)),
    users: rule.user_ids.map((id) => showUserById(world, id)),
    groups: visible.map((group) => showGroup(world, group)),
    contains_hidden_groups: visible.length < groups.length,
  }
}

/** The sandbox has no rules of one merge request: those of its project count. */
export function showApprovalState(world: World, mr: MergeRequest, caller: User): z.output<typeof stateSchema> {
  return {
    approval_rules_overwritten: false,
    rules: rulesFor(world, mr).map((rule) => ({
      ...showRule(world, rule, caller),
      approved_by: approvalsFor(world, rule, mr).map((id) => showUserById(world, id)),
      approved: missingFor(world, rule, mr) === 0,
    })),
  }
}
