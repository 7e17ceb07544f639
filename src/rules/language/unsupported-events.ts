// Events that GitLab documents and that no rule can name, with the reason.

const changesNoMergeRequest = 'no rule has anything to do for them'

/**
 * By the name in GitLab's documentation. `kinds`: the values of `object_kind`, else of `event_name`. `reason`: the end
 * of a sentence.
 */
export const unsupportedEvents = [
  { name: 'Job', kinds: ['build'], reason: 'the events of its pipeline say how it ends' },
  { name: 'Feature flag', kinds: ['feature_flag'], reason: changesNoMergeRequest },
  { name: 'Vulnerability', kinds: ['vulnerability'], reason: changesNoMergeRequest },
  { name: 'Deploy token', kinds: ['deploy_token'], reason: changesNoMergeRequest },
  { name: 'GitLab Duo flow', kinds: ['duo_workflow'], reason: changesNoMergeRequest },
  {
    name: 'Member',
    kinds: [
      ...['user_add_to_group', 'user_update_for_group', 'user_remove_from_group'],
      ...[
        'user_access_request_to_group',
        'user_access_request_denied_for_group',
        'user_access_request_revoked_for_group',
      ],
      ...['user_add_to_team', 'user_update_for_team', 'user_remove_from_team'],
      ...['user_access_request_to_project', 'user_access_request_denied_for_project'],
      'user_access_request_revoked_for_project',
    ],
    reason: 'access levels are read whenever a rule needs them',
  },
  { name: 'Subgroup', kinds: ['subgroup_create', 'subgroup_destroy'], reason: changesNoMergeRequest },
  {
    name: 'Project',
    kinds: ['project_create', 'project_destroy', 'project_rename', 'project_transfer', 'project_update'],
    reason: 'facts of the project are read whenever a rule needs them',
  },
  {
    name: 'System',
    kinds: [
      ...['repository_update', 'key_create', 'key_destroy', 'group_create', 'group_destroy', 'group_rename'],
      ...['user_create', 'user_destroy', 'user_rename', 'user_failed_login'],
      ...['gitlab_subscription_member_approval', 'gitlab_subscription_member_approvals'],
    ],
    reason: 'they are about the installation, not about one project',
  },
]

/** Why the event is not supported, as a sentence; undefined if the kind is not in the list. */
export function unsupportedReason(kind: string): string | undefined {
  const found = unsupportedEvents.find(({ kinds }) => kinds.includes(kind))
  return found === undefined
    ? undefined
    : `${found.name} events (${kind}) are not supported: ${found.reason}. See Events in docs/rules.md.`
}
