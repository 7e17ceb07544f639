// The file of BELLHOP_CHATS: the chats that rules may post to, each with its address, which is a secret.
import * as z from 'zod'
import { type ChatKind, chatKinds } from '../../bot/notifications/chat-body.ts'
import { CHAT_NAME } from '../../rules/actions/notify.ts'
import { problemOfGlob } from '../../rules/language/patterns/patterns.ts'
import { readYaml } from '../../rules/language/yaml/yaml-text.ts'
import { problemsOf, textProblem } from '../output/yaml-problems.ts'
import { readText } from '../read-text.ts'
import { type Environment, readAs, secretPlace, textAt } from '../settings/secret-place.ts'
import { receiverUrl } from '../settings/setting-values.ts'
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

const mostChats = 100

const glob = z.string('expected a glob of full project paths, such as hotel/*').superRefine((text, context) => {
  const problem = problemOfGlob(text)
  if (problem !== undefined) context.addIssue(`expected ${problem}`)
})

function documentOf(environment: Environment) {
  const chat = z.strictObject(
    {
      kind: z.enum(chatKinds, `expected one of ${chatKinds.join(', ')}`),
      url: secretPlace.transform((where, context) =>
        readAs({ read: chatAddress }, textAt(where, environment), context),
      ),
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

function chatAddress(text: string): string {
  if (text === '') throw new Error('an http:// or https:// address')
  return receiverUrl(text)
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
