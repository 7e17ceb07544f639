// Colours only on a terminal and without NO_COLOR; a CI's log is no terminal.
import pc from 'picocolors'

export const colours = pc.createColors(process.stdout.isTTY === true && (process.env.NO_COLOR ?? '') === '')
