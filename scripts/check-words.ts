// Finds words that the glossary replaces in file names, test titles, code, settings, pages and docs (`npm run check`).
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Each word with what the glossary says in its place. Names are compared word by word, so that `laneName` is found. */
export const replacedWords: Record<string, string> = {
  beside: 'comparison, next to',
  brake: 'new-rule limit',
  braked: 'limited',
  desk: 'dashboard, admin',
  fights: 'conflicts',
  flips: 'loop guard',
  heed: 'handle',
  judge: 'evaluate',
  judged: 'evaluated',
  judgement: 'evaluation',
  judges: 'evaluates',
  judging: 'evaluation',
  lane: 'queue',
  lanes: 'queues',
  mailbox: 'pending events',
  patience: 'retry policy',
  room: 'capacity, space',
  rooms: 'modules, folders',
  suppose: 'override',
  supposed: 'overridden',
  supposition: 'override',
  suppositions: 'overrides',
  telling: 'notification',
  told: 'notified, shown',
  uninteresting: 'no_merge_request',
  whoever: 'the user who, anyone who',
  wish: 'request',
  wishes: 'requests',
  woken: 'evaluated',
}

const root = resolve(import.meta.dirname, '..')
// What people read: code with comments and texts, and docs. This file and CHANGELOG name the words themselves.
const read = /^(src\/|docs\/|scripts\/.*\.md$|README\.md$|CONTRIBUTING\.md$)/
// The first string of test(…), describe(…) and test.each(…)(…).
const testTitle = /(?:\b(?:test|it|describe)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g
const words = (text: string) => text.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)

export interface ReplacedWord {
  file: string
  /** Absent where the file's name has it. */
  line?: number
  word: string
}

/** Returns every replaced word in a file's path, in its text where people read it, and in the titles of tests. */
export function replacedIn(file: string, text: string): ReplacedWord[] {
  const found = (part: string) =>
    [...words(part)].map(([word]) => word.toLowerCase()).filter((word) => Object.hasOwn(replacedWords, word))
  const inName = found(file).map((word) => ({ file, word }))
  if (read.test(file))
    return [
      ...inName,
      ...text.split('\n').flatMap((line, at) => found(line).map((word) => ({ file, line: at + 1, word }))),
    ]
  if (!file.endsWith('.test.ts')) return inName
  return [
    ...inName,
    ...[...text.matchAll(testTitle)].flatMap(({ 2: title = '', index }) =>
      found(title).map((word) => ({ file, line: text.slice(0, index).split('\n').length, word })),
    ),
  ]
}

async function main(): Promise<void> {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  const all: ReplacedWord[] = []
  // A file that was deleted and not yet committed is listed as well.
  const present = files.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))
  for (const file of present.filter((name) => !/\.(png|svg|json)$/.test(name)))
    all.push(...replacedIn(file, await readFile(join(root, file), 'utf8')))
  for (const { file, line, word } of all)
    console.error(`${file}${line === undefined ? '' : `:${line}`}: "${word}": the glossary says ${replacedWords[word]}`)
  if (all.length > 0) process.exitCode = 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
