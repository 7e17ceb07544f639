// Checks a push against the push rule, for git and the API.
import { branchOf, noCommit } from '../git/names.ts'
import { refuse } from '../http/error-response.ts'
import type { Project, PushRule } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import { activeRule, createMatcher } from './push-rule.ts'
import {
  type NewFile,
  type PushedCommit,
  type Quarantine,
  type RefMove,
  readNewCommits,
  readNewFiles,
  readSizes,
} from './read-push.ts'

export interface Complaint {
  text: string
  commit?: string
}
const mostComplaints = 10
const megabyte = 1024 * 1024

/** Throws 400 for pushes by the API, before the ref moves. */
export async function refuseByPushRule(world: World, project: Project, moves: readonly RefMove[]): Promise<void> {
  const rule = activeRule(world, project)
  if (rule === undefined) return
  const complaints = await checkPush(world, project, rule, moves)
  if (complaints.length > 0) throw refuse(400, complaints.map(({ text }) => text).join('\n'))
}

/** Checks new commits only. The default branch may have any name, as in GitLab. */
export async function checkPush(
  world: World,
  project: Project,
  rule: PushRule,
  moves: readonly RefMove[],
  quarantine: Quarantine = {},
): Promise<Complaint[]> {
  const ofRefs = [...checkBranches(project, rule, moves), ...checkTags(rule, moves)]
  if (ofRefs.length > 0) return ofRefs.slice(0, mostComplaints)
  const commits = await readNewCommits(world, project.id, moves, quarantine)
  const complaints = collect(commits, commitChecks(world, rule))
  if (complaints.length > 0 || !(rule.prevent_secrets || rule.file_name_regex !== '' || rule.max_file_size > 0))
    return complaints
  const files = await readNewFiles(world, project.id, commits, quarantine)
  const sizes =
    rule.max_file_size > 0 ? await readSizes(world, project.id, files, quarantine) : new Map<string, number>()
  return collect(files, fileChecks(rule, sizes))
}

function collect<T>(items: readonly T[], check: (item: T) => Complaint[]): Complaint[] {
  const complaints: Complaint[] = []
  for (const item of items) {
    complaints.push(...check(item))
    if (complaints.length >= mostComplaints) break
  }
  return complaints.slice(0, mostComplaints)
}

function checkBranches(project: Project, rule: PushRule, moves: readonly RefMove[]): Complaint[] {
  const matches = createMatcher(rule, 'branch_name_regex')
  if (matches === undefined) return []
  return moves
    .flatMap(({ ref, after }) => (after === noCommit ? [] : (branchOf(ref) ?? [])))
    .filter((name) => name !== project.default_branch && matches(name) !== true)
    .map((name) => ({ text: `Branch name '${plain(name)}' does not follow the pattern '${rule.branch_name_regex}'` }))
}

function checkTags(rule: PushRule, moves: readonly RefMove[]): Complaint[] {
  if (!rule.deny_delete_tag) return []
  const deleted = moves.filter((move) => move.ref.startsWith('refs/tags/') && move.after === noCommit)
  return deleted.map((move) => ({ text: `You cannot delete a tag: '${plain(move.ref.slice('refs/tags/'.length))}'` }))
}

function commitChecks(world: World, rule: PushRule): (commit: PushedCommit) => Complaint[] {
  const messageMatches = createMatcher(rule, 'commit_message_regex')
  const emailMatches = createMatcher(rule, 'author_email_regex')
  const members = new Set(rule.member_check ? world.users.all().map((user) => user.email.toLowerCase()) : [])
  return ({ sha: commit, author_email, message }) => {
    const email = plain(author_email)
    const complaints: Complaint[] = []
    const complain = (text: string) => complaints.push({ text, commit })
    if (messageMatches !== undefined && messageMatches(message) !== true) {
      complain(`Commit message does not follow the pattern '${rule.commit_message_regex}'`)
    }
    if (emailMatches !== undefined && emailMatches(author_email) !== true) {
      complain(`Author's email '${email}' does not follow the pattern '${rule.author_email_regex}'`)
    }
    if (rule.member_check && !members.has(author_email.toLowerCase()))
      complain(`Author '${email}' is not a member of team`)
    return complaints
  }
}

function fileChecks(rule: PushRule, sizes: ReadonlyMap<string, number>): (file: NewFile) => Complaint[] {
  const nameMatches = createMatcher(rule, 'file_name_regex')
  return ({ commit, path, blob }) => {
    const secret = rule.prevent_secrets ? secretPattern(path) : undefined
    // A name too long to check is refused.
    const prohibited = nameMatches !== undefined && nameMatches(path) !== false ? rule.file_name_regex : secret
    const tooLarge = rule.max_file_size > 0 && (sizes.get(blob) ?? 0) > rule.max_file_size * megabyte
    return [
      ...(prohibited === undefined
        ? []
        : [{ commit, text: `File name ${plain(path)} was prohibited by the pattern "${prohibited}"` }]),
      ...(tooLarge
        ? [{ commit, text: `File "${plain(path)}" is larger than the allowed size of ${rule.max_file_size} MB` }]
        : []),
    ]
  }
}

/** Printable and short: the pusher chooses the name. */
function plain(name: string) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  const clean = name.replace(/[\x00-\x1f\x7f-\x9f]/g, '\ufffd')
  return clean.length > 200 ? `${clean.slice(0, 200)}…` : clean
}

const patterns = [
  // AWS credentials.
  /aws\/credentials$/,
  // Private SSH keys.
  /(?:^|\/)\.?id_(?:rsa|dsa|ed25519|ecdsa)$/,
  /(?:^|\/)(?:\.?ssh|config)\/(?:personal|server)_(?:rsa|dsa|ed25519|ecdsa)$/,
  /\.(?:pem|key)$/,
  // Shell histories.
  /[._]history$/,
]

export function secretPattern(path: string): string | undefined {
  return patterns.find((pattern) => pattern.test(path))?.source
}
