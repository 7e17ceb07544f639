// The file of BELLHOP_CHATS: the chats that rules may post to, each with its address, which is a secret.
import * as z from 'zod'
import { type ChatKind, chatKinds } from '../../bot/notifications/chat-body.ts'
import { CHAT_NAME } from '../../rules/actions/notify.ts'
import { problemOfGlob } from '../../rules/language/patterns/patterns.ts'
import { readYaml } from '../../rules/language/yaml/yaml-text.ts'
import { problemsOf, textProblem } from '../output/yaml-problems.ts'
import { readText } from '../read-text.ts'
import { readSecretFile } from '../settings/secret-files.ts'
import { expectation, receiverUrl, trimmed } from '../settings/setting.ts'
import { settings } from '../settings/settings.ts'
import { UsageError } from '../user-error.ts'

export interface ChatSettings {
  name: string
  kind: ChatKind
  url: string
  /** Globs of full paths; absent: every project. */
  projects?: string[]
}

/** Problems are `FILE:LINE:COLUMN: place: …`, without addresses. */
type ReadChats = { ok: true; chats: ChatSettings[] } | { ok: false; problems: string[] }

type Environment = Record<string, string | undefined>

const mostChats = 100

const word = z.string('expected a text').min(1, 'expected a text').optional()
/** Where an address stands, which is a secret. */
const secretPlace = z
  .strictObject({ file: word, variable: word }, 'expected { file: PATH } or { variable: NAME }')
  .refine(
    ({ file, variable }) => (file === undefined) !== (variable === undefined),
    'expected { file: PATH } or { variable: NAME }',
  )

const glob = z.string('expected a glob of full project paths, such as hotel/*').superRefine((text, context) => {
  const problem = problemOfGlob(text)
  if (problem !== undefined) context.addIssue(`expected ${problem}`)
})

function documentOf(environment: Environment) {
  const chat = z.strictObject(
    {
      kind: z.enum(chatKinds, `expected one of ${chatKinds.join(', ')}`),
      url: secretPlace.transform((where, context) => {
        const { address, problem } = addressAt(where, environment)
        if (problem !== undefined) context.addIssue(problem)
        return address
      }),
      projects: z
        .union([glob.transform((each) => [each]), z.array(glob).min(1, 'expected at least one project')])
        .optional(),
    },
    'expected { kind, url }',
  )
  const chats = z.record(z.string(), chat, 'expected names of chats').superRefine((named, context) => {
    const names = Object.keys(named)
    for (const name of names.filter((each) => !CHAT_NAME.test(each)))
      context.addIssue({
        code: 'custom',
        path: [name],
        message: 'expected a name of small letters, digits, dots, - and _',
      })
    if (names.length > mostChats) context.addIssue(`expected at most ${mostChats} chats`)
  })
  return z.strictObject({ version: z.literal(1, 'expected the version 1'), chats })
}

/** The address there, or why there is none; the problem never quotes it. */
function addressAt({ file = '', variable }: z.output<typeof secretPlace>, environment: Environment) {
  const secret = variable && environment[variable]
  if (variable !== undefined && !secret)
    return { address: '', problem: `expected the secret in the variable ${variable}, which is not set` }
  const found = secret ? { ok: true as const, secret } : readSecretFile(file, trimmed)
  if (!found.ok) return { address: '', problem: found.reason }
  try {
    if (found.secret === '') throw new Error('an http:// or https:// address')
    return { address: receiverUrl(found.secret) }
  } catch (error) {
    return { address: '', problem: expectation(error) }
  }
}

export function readChats(text: string, { file, environment }: { file: string; environment: Environment }): ReadChats {
  const read = readYaml(text)
  if (!read.ok) return { ok: false, problems: read.problems.map((each) => textProblem(each, file)) }
  const checked = documentOf(environment).safeParse(read.yaml.value ?? {})
  if (!checked.success) return { ok: false, problems: problemsOf(checked.error, { yaml: read.yaml, file }) }
  return { ok: true, chats: Object.entries(checked.data.chats).map(([name, chat]) => ({ name, ...chat })) }
}

/** Empty if no file is named. Throws UsageError with a line per mistake. */
export async function chatsOf(file: string, environment: Environment): Promise<ChatSettings[]> {
  if (file === '') return []
  const read = readChats(await readText(file), { file, environment })
  if (!read.ok) throw new UsageError(read.problems.join('\n'))
  return read.chats
}

/** The chats that the environment names; undefined without a file: a command on another machine cannot know them. */
export async function chatsHere(environment: Environment): Promise<ChatSettings[] | undefined> {
  const file = environment[settings.chats.variable] ?? ''
  return file === '' ? undefined : chatsOf(file, environment)
}
