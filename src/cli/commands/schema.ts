// `bellhop schema`: prints the JSON Schema of rule files.
import { Command } from 'commander'
import { beyondSchema, ruleFileSchema } from '../../rules/language/schema/rule-file.ts'

const help = `
Example:
  $ bellhop schema > bellhop.schema.json

Editors with a YAML language server then check and complete a rule file that starts with:
  # yaml-language-server: $schema=bellhop.schema.json

bellhop check also finds:
${beyondSchema.map((each) => `  - ${each}`).join('\n')}`

export function schema(): Command {
  return new Command().addHelpText('after', help).action(() => {
    // The reader may close the pipe early: `bellhop schema | head`.
    process.stdout.on('error', ignoreClosedPipe)
    process.stdout.write(`${JSON.stringify(ruleFileSchema(), null, 2)}\n`)
  })
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
