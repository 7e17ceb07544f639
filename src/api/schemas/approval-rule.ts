// Approval rules (GitLab Premium; not in api-v4.md).
import * as z from 'zod'
import { group } from './group.ts'
import { count, id } from './scalars.ts'
import { userSummary } from './user.ts'

export const approvalRule = z.object({
  id,
  name: z.string(),
  /** `any_approver`: everybody's approval counts; `code_owner` and `report_approver` are further types of GitLab. */
  rule_type: z.string(),
  approvals_required: count,
  /** Empty for `any_approver`. */
  eligible_approvers: z.array(userSummary),
  users: z.array(userSummary),
  groups: z.array(group),
  /** Some groups are not shown to the caller. */
  contains_hidden_groups: z.boolean(),
})

export const approvalState = z.object({
  /** The merge request has rules of its own. */
  approval_rules_overwritten: z.boolean(),
  rules: z.array(approvalRule.extend({ approved_by: z.array(userSummary), approved: z.boolean() })),
})
