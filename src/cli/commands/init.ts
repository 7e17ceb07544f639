// `bellhop init`: writes a first rule file.
import { access, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Command, Option } from 'commander'
import { formatProblem, readRules } from '../../rules/language/documents/rule-document.ts'
import { argument, list, optionalHttpUrl } from '../settings/setting.ts'
import { UsageError, UserError } from '../user-error.ts'

interface Flags {
  file: string
  url?: string
  documentation?: string
  dependencyBots?: string
  mergeOnRequest?: true
  tellAuthor?: true
  pipelines: boolean
  force?: true
}

const help = `
Without flags it asks on the terminal. With --url, the file names the schema that Bellhop serves, by which editors complete and check it.

Exit codes: 0 written, 1 not written, 2 wrong usage.

Examples:
  $ bellhop init
  $ bellhop init --dependency-bots renovate-bot,dependabot --merge-on-request
  $ bellhop init --documentation "docs/**" --no-pipelines --file rules/first.yml`

export function init(): Command {
  return new Command()
    .option('--file <path>', 'file to write', '.bellhop.yml')
    .option('--documentation <glob>', 'label merge requests that change only such files')
    .option('--dependency-bots <names>', 'merge what these users open once its pipeline succeeds; separated by commas')
    .option('--merge-on-request', 'merge when a Maintainer writes "@bellhop merge"')
    .option('--tell-author', 'tell the author in a note when the pipeline failed or the branch conflicts')
    .option('--no-pipelines', 'the project has no pipelines')
    .addOption(
      new Option('--url <address>', 'address of the running Bellhop')
        .env('BELLHOP_URL')
        .argParser(argument(optionalHttpUrl)),
    )
    .option('--force', 'overwrite an existing file')
    .addHelpText('after', help)
    .action(run)
}

async function run(flags: Flags, command: Command): Promise<void> {
  const isGiven = ['documentation', 'dependencyBots', 'mergeOnRequest', 'tellAuthor'].some(
    (name) => command.getOptionValueSource(name) === 'cli',
  )
  const bots = list(flags.dependencyBots ?? '')
  const options = isGiven ? { ...flags, dependencyBots: bots } : await answers(flags)
  const text = firstRules(options, flags.url)
  const read = readRules(text, flags.file, { trust: 'repository' })
  if (!read.ok) throw new UsageError(read.problems.map(formatProblem).join('\n'))
  await writeFile(flags.file, text, { flag: flags.force === true ? 'w' : 'wx' }).catch((cause: unknown) => {
    throw codeOf(cause) === 'EEXIST' ? existing(flags.file) : unwritten(flags.file, cause)
  })
  process.stdout.write(
    `${flags.file} written. bellhop check ${flags.file} checks the rules; they count once they are on the default branch.\n`,
  )
  if (!flags.url) process.stdout.write('With --url, editors would complete and check the file.\n')
}

const questions = {
  documentation: 'Label merge requests that change only these files (none: no such rule)',
  bots: 'Merge the dependency updates of these users when green, separated by commas (none: no such rule)',
}

async function answers({ pipelines, file, force }: Flags): Promise<FirstRulesOptions> {
  if (process.stdin.isTTY !== true)
    throw new UsageError(
      'Without a terminal, give --documentation, --dependency-bots, --merge-on-request or --tell-author.',
    )
  if (force !== true && (await exists(file))) throw existing(file)
  const ask = askOnTerminal(process.stdin, process.stderr)
  try {
    const documentation = await ask.text(questions.documentation, 'docs/**')
    const bots = list(await ask.text(questions.bots, 'none'))
    return {
      documentation: documentation === 'none' ? undefined : documentation,
      dependencyBots: bots.filter((each) => each !== 'none'),
      mergeOnRequest: await ask.yes('Merge when a Maintainer writes "@bellhop merge"?'),
      tellAuthor: await ask.yes('Tell the author in a note when the pipeline failed or the branch conflicts?'),
      pipelines: pipelines && (await ask.yes('Does the project have pipelines?')),
    }
  } finally {
    ask.end()
  }
}

const existing = (path: string) => new UserError(`${path} exists: --force overwrites it.`)
const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown')

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

function unwritten(path: string, cause: unknown): UserError {
  const reason = `${path} cannot be written (${codeOf(cause)})`
  return new UserError(`${reason}: does its folder exist, and may you write there?`, { cause })
}

interface FirstRulesOptions {
  /** Glob; merge requests that change only such files are labelled. */
  documentation?: string
  /** Users whose merge requests are merged once green. */
  dependencyBots: readonly string[]
  /** `@bellhop merge` in a comment. */
  mergeOnRequest?: boolean
  /** A note for the author of what is red or conflicts. */
  tellAuthor?: boolean
  /** The project has pipelines. */
  pipelines: boolean
}

/** `url`: the address of the Bellhop that serves the JSON Schema. */
export function firstRules(
  { documentation, dependencyBots, mergeOnRequest, tellAuthor, pipelines }: FirstRulesOptions,
  url?: string,
): string {
  const accept = pipelines ? '' : ', pipeline: none'
  const rules: string[] = []
  if (documentation !== undefined)
    rules.push(`  - name: label documentation
    if:
      changed_files: { all: ${JSON.stringify(documentation)} }
    then:
      label: { add: documentation }
`)
  const bots = dependencyBots.map((name) => JSON.stringify(name)).join(', ')
  if (dependencyBots.length > 0)
    rules.push(`  - name: merge dependency updates${pipelines ? ' when green' : ''}
    if:
      author: [${bots}]
      pushed_by: { all: [${bots}] }
      labels: { none: [hold] }
      draft: false${pipelines ? '\n      pipeline: success' : ''}
    then:
      approve: true
      accept: { remove_source_branch: true${accept} }
`)
  if (mergeOnRequest)
    rules.push(`  - name: merge on request
    # A Maintainer writes "@bellhop merge" into a comment (the name is that of Bellhop's user).
    on: note.create
    command: merge
    then:
      accept: ${pipelines ? '{ when: pipeline_succeeds }' : '{ pipeline: none }'}
`)
  if (tellAuthor) rules.push(tellAuthorRules(pipelines))
  const schema = !url ? '' : `# yaml-language-server: $schema=${url.replace(/\/$/, '')}/schema.json\n#\n`
  return `${schema}# The rules of Bellhop for this project. The file of the default branch is in force.
# bellhop check FILE finds mistakes; bellhop explain PROJECT NUMBER explains what the rules decide.
version: 1
rules:${rules.length === 0 ? ' []' : `\n${rules.join('\n')}`.trimEnd()}
`
}

function tellAuthorRules(pipelines: boolean): string {
  const rule = (of: string, condition: string, text: string) => `  - name: tell the author of ${of}
    if: { state: opened, draft: false, ${condition} }
    then: { comment: { while: "@{{ author }}, ${text}." } }
`
  const failed = rule('a failed pipeline', 'pipeline: failed', 'the pipeline failed: please have a look')
  const text = 'this conflicts with {{ target_branch }}: please rebase'
  return `${pipelines ? `${failed}\n` : ''}${rule('conflicts', 'has_conflicts: true', text)}`
}

/** An empty answer means the default. Throws UserError when the input ends. */
export function askOnTerminal(input: NodeJS.ReadableStream, output: NodeJS.WritableStream) {
  const lines = createInterface({ input, output })
  // Also holds what is typed or pasted before its question.
  const answers = lines[Symbol.asyncIterator]()
  let isOpen = true
  lines.once('close', () => {
    isOpen = false
  })
  const text = async (question: string, standard: string) => {
    lines.setPrompt(`${question} [${standard}] `)
    // From Node 24 on it throws after the end of the input, before which an answer may have come.
    if (isOpen) lines.prompt()
    const answer = await answers.next()
    if (answer.done === true) throw new UserError('The input ended before the last question: nothing was written.')
    return answer.value.trim() || standard
  }
  return {
    text,
    yes: async (question: string) => /^y/i.test(await text(question, 'yes')),
    end: () => lines.close(),
  }
}
