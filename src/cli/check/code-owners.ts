// Shows the errors of a project's CODEOWNERS file: lines that the service ignores, and owners that it does not know.
import { type FileText, fileAt } from '../../bot/rule-files/read-rule-file.ts'
import type { Client } from '../../client/create-client.ts'
import { CODE_OWNERS_PATHS, readCodeOwners } from '../../rules/code-owners/read-code-owners.ts'

/** More owners are not looked up. */
const MOST_OWNERS = 50

interface Place {
  client: Client
  project: number
  /** Whether the service knows a user or group of that name. */
  isKnown(name: string): Promise<boolean>
}

/** The first file that there is, in the order of the service. */
async function firstFile({ client, project }: Place): Promise<(FileText & { path: string }) | undefined> {
  const { default_branch: branch } = (await client.projects.get({ id: project })).body
  if (branch === undefined || branch === null) return undefined
  for (const path of CODE_OWNERS_PATHS) {
    const found = await fileAt(client, project, path, branch)
    if (found !== null) return { ...found, path }
  }
  return undefined
}

/** A message for each error. Throws ServiceError. */
export async function codeOwnersErrors(place: Place): Promise<string[]> {
  const file = await firstFile(place)
  if (file === undefined)
    return [`the default branch has no CODEOWNERS file: ${CODE_OWNERS_PATHS.join(', ')} are looked for`]
  const { sections, problems } = readCodeOwners(file.text)
  const owners = sections.flatMap(({ entries }) => entries.flatMap((entry) => entry.owners))
  const names = [...new Set(owners.flatMap((owner) => ('name' in owner ? [owner.name] : [])))]
  const lines = file.text.split(/\r\n|\r|\n/)
  const messages = problems.map(({ line, problem }) => ({ line, problem }))
  for (const name of names.slice(0, MOST_OWNERS)) {
    if (await place.isKnown(name)) continue
    const line = lines.findIndex((each) => each.split(/\s/).includes(`@${name}`)) + 1
    messages.push({ line, problem: `@${name} is neither a user nor a group that the bot can see` })
  }
  return messages
    .sort((one, other) => one.line - other.line)
    .map(({ line, problem }) => `${file.path}:${line}: ${problem}`)
}
