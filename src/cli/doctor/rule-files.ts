// Checks the operator's rule folder and chats. The addresses of chats are secrets: only names are shown.
import { stat } from 'node:fs/promises'
import { OperatorFilesError, readOperatorFiles, readPolicyFile } from '../../bot/rule-files/operator-files.ts'
import { count } from '../../rules/language/values/wording.ts'
import { unknownChats } from '../../rules/lint/named-references.ts'
import { chatsOf } from '../chats/chats-file.ts'
import { UsageError } from '../user-error.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, warn, fail } = findingsOf('rules')

export async function examineRuleFiles(folder: string): Promise<Finding[]> {
  const isAbsent = await stat(folder).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT',
  )
  if (isAbsent)
    return [
      warn(`There is no folder ${folder}: no operator rules are in force.`, 'Set BELLHOP_RULES if there should be.'),
    ]
  try {
    const files = await readOperatorFiles(folder)
    const policy = await readPolicyFile(folder)
    const rules = files.reduce((sum, each) => sum + each.rules.rules.length, 0)
    const found = `${count(files.length, 'file')} with ${count(rules, 'rule')} in ${folder}`
    return [ok(`${found}, and ${policy.length === 0 ? 'no policy' : 'a policy'}.`)]
  } catch (error) {
    if (!(error instanceof OperatorFilesError)) throw error
    return error.message
      .split('\n')
      .map((line) => fail(line, 'Fix it: Bellhop does not start with it. bellhop check shows the line.'))
  }
}

const ofChats = findingsOf('chats')

interface ExaminedChats {
  /** The file of BELLHOP_CHATS; empty: none. */
  file: string
  rulesFolder: string
  environment: Record<string, string | undefined>
}

/** No findings if there are neither chats nor rules of the operator that post to some. */
export async function examineChats({ file, rulesFolder, environment }: ExaminedChats): Promise<Finding[]> {
  try {
    const names = (await chatsOf(file, environment)).map(({ name }) => name)
    const unknown = unknownChats(await readOperatorFiles(rulesFolder).catch(brokenFiles), names)
    const named = ofChats.ok(`Rules may post to ${count(names.length, 'chat')}: ${names.join(', ')}.`)
    const postsTo = (name: string) => `A rule of the operator posts to the chat ${name}, which nobody names.`
    return [
      ...(names.length === 0 ? [] : [named]),
      ...unknown.map((name) => ofChats.warn(postsTo(name), 'Name it in the file of BELLHOP_CHATS.')),
    ]
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return error.message
      .split('\n')
      .map((line) => ofChats.fail(line, 'Fix it: Bellhop does not start with it. docs/chats.md shows such a file.'))
  }
}

/** The operator's broken files are a finding of their own. */
function brokenFiles(error: unknown): [] {
  if (!(error instanceof OperatorFilesError)) throw error
  return []
}
