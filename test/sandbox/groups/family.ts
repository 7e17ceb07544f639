// Nested groups, a neighbour and two users, as records without a sandbox.
import type { Group, Member, Project, User } from '../../../src/sandbox/records/records.ts'
import { createState, nextNumber, now, type State } from '../../../src/sandbox/storage/world.ts'

export type Place = ['group' | 'project', { id: number }]

export function family(visibility: Group['visibility'] = 'private') {
  const state = createState()
  const groups = {
    outer: addGroup(state, 'Outer', visibility),
    neighbour: addGroup(state, 'Neighbour', visibility),
  }
  const middle = addGroup(state, 'Middle', visibility, groups.outer)
  const inner = addGroup(state, 'Inner', visibility, middle)
  return {
    state,
    groups: { ...groups, middle, inner },
    users: { ann: addUser(state, 'ann'), ben: addUser(state, 'ben'), root: addUser(state, 'root', true) },
    project: (group: Group) => addProject(state, group, visibility),
    join: (
      user: User,
      [source, { id }]: Place,
      access_level: Member['access_level'],
      expires_at: string | null = null,
    ) =>
      state.members.add({
        id: nextNumber(state, 'members'),
        source,
        source_id: id,
        user_id: user.id,
        access_level,
        expires_at,
      }),
    share: (project: Project, group: Group, group_access: Member['access_level'], expires_at: string | null = null) =>
      state.shareLinks.add({
        id: nextNumber(state, 'shares'),
        project_id: project.id,
        group_id: group.id,
        group_access,
        expires_at,
      }),
  }
}

function addGroup(state: State, name: string, visibility: Group['visibility'], parent?: Group): Group {
  const path = name.toLowerCase()
  return state.groups.add({
    id: nextNumber(state, 'namespaces'),
    name,
    path,
    full_path: parent === undefined ? path : `${parent.full_path}/${path}`,
    full_name: parent === undefined ? name : `${parent.full_name} / ${name}`,
    description: '',
    visibility,
    lfs_enabled: true,
    request_access_enabled: true,
    parent_id: parent?.id ?? null,
    membership_lock: false,
    share_with_group_lock: false,
    shared_runners_minutes_limit: null,
    created_at: now(state),
  })
}

function addUser(state: State, username: string, is_admin = false): User {
  return state.users.add({
    id: nextNumber(state, 'users'),
    namespace_id: nextNumber(state, 'namespaces'),
    username,
    name: username,
    email: `${username}@example.com`,
    state: 'active',
    bot: false,
    is_admin,
    can_create_group: true,
    created_at: now(state),
  })
}

function addProject(state: State, group: Group, visibility: Group['visibility']): Project {
  const time = now(state)
  const id = nextNumber(state, 'projects')
  return state.projects.add({
    id,
    namespace_id: group.id,
    name: `app-${id}`,
    path: `app-${id}`,
    path_with_namespace: `${group.full_path}/app-${id}`,
    description: null,
    default_branch: 'master',
    visibility,
    tag_list: [],
    creator_id: 1,
    created_at: time,
    updated_at: time,
    last_activity_at: time,
    approvals_before_merge: 0,
    archived: false,
    ci_config_path: null,
    repository_storage: 'default',
    import_url: null,
    import_status: 'none',
    import_error: null,
    runners_token: 'secret',
    avatar: null,
    forked_from_id: null,
    known_refs: {},
    issues_enabled: true,
    merge_requests_enabled: true,
    wiki_enabled: true,
    jobs_enabled: true,
    snippets_enabled: true,
    container_registry_enabled: true,
    resolve_outdated_diff_discussions: false,
    shared_runners_enabled: true,
    public_jobs: true,
    request_access_enabled: true,
    lfs_enabled: true,
    only_allow_merge_if_pipeline_succeeds: false,
    only_allow_merge_if_all_discussions_are_resolved: false,
    printing_merge_requests_link_enabled: true,
    merge_method: 'merge',
    automatic_rebase_enabled: false,
    squash_option: 'default_off',
    allow_merge_on_skipped_pipeline: false,
    merge_pipelines_enabled: false,
    merge_trains_enabled: false,
    merge_train_enforcement: 'allow_bypass',
    reset_approvals_on_push: false,
  })
}
