// Push rules, and the check of a push against one, for git and the API.
import { RE2JS } from 're2js'
import { parseFields } from '../git/read-commits.ts'
import { branchOf, isSha, noCommit } from '../git/refs.ts'
import { invalid, refuse } from '../http/error-response.ts'
import type { Project, PushRule } from '../records/records.ts'
import type { State, World } from '../storage/world.ts'

export interface Complaint {
  text: string
  commit?: string
}
const mostComplaints = 10
const megabyte = 1024 * 1024

/** What is wrong with a push by the service itself, before the ref moves. */
export async function complaintAbout(world: World, project: Project, move: RefMove): Promise<string | undefined> {
  const complaints = await checkPush(world, project, ruleOf(world, project), [move])
  return complaints.length === 0 ? undefined : complaints.map(({ text }) => text).join('\n')
}

/** Throws 400 for a push by the API, before the ref moves. */
export async function refuseByPushRule(world: World, project: Project, move: RefMove): Promise<void> {
  const complaint = await complaintAbout(world, project, move)
  if (complaint !== undefined) throw refuse(400, complaint)
}

/** Checks new commits only. The default branch may have any name, as in GitLab. */
export async function checkPush(
  world: World,
  project: Project,
  rule: PushRule | undefined,
  moves: readonly RefMove[],
  quarantine: Quarantine = {},
): Promise<Complaint[]> {
  if (rule === undefined || !(rule.reject_unsigned_commits || limitNames.some((name) => rule[name]))) return []
  const ofRefs = [...checkBranches(project, rule, moves), ...checkTags(rule, moves)]
  if (ofRefs.length > 0) return ofRefs.slice(0, mostComplaints)
  const commits = await readNewCommits(world, project.id, moves, quarantine)
  const complaints = collect(commits, commitChecks(world, rule))
  if (complaints.length > 0 || !(rule.prevent_secrets || rule.file_name_regex !== '' || rule.max_file_size > 0))
    return complaints
  const files = await readNewFiles(world, project.id, commits, quarantine)
  const sizes = rule.max_file_size > 0 ? await readSizes(world, project.id, files, quarantine) : new Map()
  return collect(files, fileChecks(rule, sizes))
}

function collect<T extends { commit: string }>(items: readonly T[], textsOf: (item: T) => (string | false)[]) {
  const complaints: Complaint[] = []
  for (const item of items) {
    for (const text of textsOf(item)) if (text !== false) complaints.push({ text, commit: item.commit })
    if (complaints.length >= mostComplaints) break
  }
  return complaints.slice(0, mostComplaints)
}

function checkBranches(project: Project, rule: PushRule, moves: readonly RefMove[]): Complaint[] {
  const offends = createCheck(rule, 'branch_name_regex')
  return moves
    .flatMap(({ ref, after }) => (after === noCommit ? [] : (branchOf(ref) ?? [])))
    .filter((name) => name !== project.default_branch && offends(name))
    .map((name) => ({ text: `Branch name '${plain(name)}' does not follow the pattern '${rule.branch_name_regex}'` }))
}

function checkTags(rule: PushRule, moves: readonly RefMove[]): Complaint[] {
  if (!rule.deny_delete_tag) return []
  const deleted = moves.filter((move) => move.ref.startsWith('refs/tags/') && move.after === noCommit)
  return deleted.map((move) => ({ text: `You cannot delete a tag: '${plain(move.ref.slice('refs/tags/'.length))}'` }))
}

function commitChecks(world: World, rule: PushRule) {
  const messageOffends = createCheck(rule, 'commit_message_regex')
  const emailOffends = createCheck(rule, 'author_email_regex')
  const members = new Set(rule.member_check ? world.users.all().map((user) => user.email.toLowerCase()) : [])
  return ({ author_email, message, isSigned }: PushedCommit) => {
    const email = plain(author_email)
    const isMember = !rule.member_check || members.has(author_email.toLowerCase())
    return [
      messageOffends(message) && `Commit message does not follow the pattern '${rule.commit_message_regex}'`,
      emailOffends(author_email) &&
        `Author's email '${email}' does not follow the pattern '${rule.author_email_regex}'`,
      !isMember && `Author '${email}' is not a member of team`,
      rule.reject_unsigned_commits === true && !isSigned && 'Commit must be signed with a GPG key',
    ]
  }
}

function fileChecks(rule: PushRule, sizes: ReadonlyMap<string, number>) {
  const nameOffends = createCheck(rule, 'file_name_regex')
  return ({ path, blob }: NewFile) => {
    const secret = rule.prevent_secrets ? secretPattern(path) : undefined
    const prohibited = nameOffends(path) ? rule.file_name_regex : secret
    const tooLarge = rule.max_file_size > 0 && (sizes.get(blob) ?? 0) > rule.max_file_size * megabyte
    return [
      prohibited !== undefined && `File name ${plain(path)} was prohibited by the pattern "${prohibited}"`,
      tooLarge && `File "${plain(path)}" is larger than the allowed size of ${rule.max_file_size} MB`,
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

export interface RefMove {
  ref: string
  before: string
  after: string
}
interface PushedCommit {
  commit: string
  author_email: string
  message: string
  isSigned: boolean
}
interface NewFile {
  commit: string
  path: string
  blob: string
}
/** Where a push has its objects until it is accepted; empty for stored objects. */
export type Quarantine = Record<string, string>

/** Commits that no ref of the repository contains, oldest first. */
async function readNewCommits(world: World, projectId: number, moves: readonly RefMove[], environment: Quarantine) {
  const heads = [...new Set(moves.map((move) => move.after))].filter((sha) => sha !== noCommit && isSha(sha))
  if (heads.length === 0) return []
  const args =
    'log -z --topo-order --reverse --encoding=UTF-8 --format=%H%x00%ae%x00%G?%x00%B --stdin --not --all'.split(' ')
  const text = await world.git.text(projectId, args, { input: `${heads.join('\n')}\n`, environment })
  return parseFields(text, 4).map(([commit = '', author_email = '', signature, message = '']): PushedCommit => {
    return { commit, author_email, message, isSigned: signature !== 'N' }
  })
}

/** Added and changed files; of a merge, those that differ from all parents. */
async function readNewFiles(
  world: World,
  projectId: number,
  commits: readonly PushedCommit[],
  environment: Quarantine,
) {
  if (commits.length === 0) return []
  const args = ['diff-tree', '--stdin', '-r', '-c', '--root', '-z', '--raw', '--no-renames', '--no-abbrev']
  const input = commits.map(({ commit }) => `${commit}\n`).join('')
  const fields = (await world.git.text(projectId, args, { input, environment })).split('\0')
  const files: NewFile[] = []
  let commit = ''
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at] ?? ''
    if (!field.startsWith(':')) {
      commit = field
      continue
    }
    at += 1
    // `:mode mode sha sha A`; of a merge with two parents `::mode mode mode sha sha sha AM`, the result last.
    const parents = field.lastIndexOf(':') + 1
    const words = field.slice(parents).split(' ')
    const mode = words[parents] ?? ''
    if (mode !== '000000') files.push({ commit, path: fields[at] ?? '', blob: words[parents * 2 + 1] ?? '' })
  }
  return files
}

/** Bytes; submodules have none. */
async function readSizes(world: World, projectId: number, files: readonly NewFile[], environment: Quarantine) {
  const blobs = [...new Set(files.map((file) => file.blob))]
  if (blobs.length === 0) return new Map()
  const args = ['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)']
  const text = await world.git.text(projectId, args, { input: `${blobs.join('\n')}\n`, environment })
  const found = [...text.matchAll(/^([0-9a-f]+) blob (\d+)$/gm)]
  return new Map(found.map(([, blob = '', size]) => [blob, Number(size)]))
}

export type PushLimits = Omit<PushRule, 'id' | 'project_id' | 'created_at'>

export const noLimits: PushLimits = {
  deny_delete_tag: false,
  member_check: false,
  prevent_secrets: false,
  commit_message_regex: '',
  branch_name_regex: '',
  author_email_regex: '',
  file_name_regex: '',
  max_file_size: 0,
}
export const limitNames = Object.keys(noLimits) as (keyof PushLimits)[]

export function ruleOf(world: State, project: Project): PushRule | undefined {
  return world.pushRules.where('project', project.id)[0]
}

export type PatternField = Extract<keyof PushLimits, `${string}_regex`>
export const patternFields = limitNames.filter((name): name is PatternField => name.endsWith('_regex'))

/** Longer texts are refused unread. */
const longestText = 100_000

/** Matched in linear time, as in GitLab. `^` and `$` match lines in a message, else the whole text. */
const compile = (field: PatternField, expression: string) =>
  RE2JS.compile(expression, field === 'commit_message_regex' ? RE2JS.MULTILINE : 0)

export function checkExpression(field: PatternField, expression: string): void {
  try {
    compile(field, expression)
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error)
    throw invalid(field, `is invalid: not a valid RE2 regular expression (${reason})`)
  }
}

/** Whether a text breaks the rule's expression for it: a file's name may not match, other texts must. */
export function createCheck(rule: PushRule, field: PatternField): (text: string) => boolean {
  const expression = rule[field]
  if (expression === '') return () => false
  const compiled = compile(field, expression)
  return (text) => text.length > longestText || compiled.test(text) === (field === 'file_name_regex')
}
