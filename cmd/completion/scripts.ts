// The scripts only call `__complete`, so they never need an update.

const bash = `# bash completion for kubectl-evictwatch; for kubectl evictwatch: kubectl-evictwatch completion --install-shim
_kubectl_evictwatch() {
	local -a args=() lines=()
	local word line directive joins=
	# bash parts words at = and : as well; they belong together.
	for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
		if [[ \${#args[@]} -gt 0 && ( $joins || $word == [=:] ) ]]; then
			args[\${#args[@]}-1]+=$word
		else
			args+=("$word")
		fi
		[[ $word == [=:] ]] && joins=1 || joins=
	done
	COMPREPLY=()
	while IFS= read -r line; do lines+=("$line"); done < <("\${COMP_WORDS[0]}" __complete "\${args[@]}" 2>/dev/null)
	[[ \${#lines[@]} -gt 0 ]] || return
	directive=\${lines[\${#lines[@]}-1]#:}
	unset "lines[\${#lines[@]}-1]"
	for line in "\${lines[@]}"; do COMPREPLY+=("\${line%%$'\\t'*}"); done
	(( directive & 4 )) && compopt +o default
	(( directive & 16 )) && compopt -o dirnames
	# A kind is not the whole word yet.
	[[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == */ ]] && compopt -o nospace
	return 0
}
complete -o default -F _kubectl_evictwatch kubectl-evictwatch
`;

const zsh = `#compdef kubectl-evictwatch
# zsh completion for kubectl-evictwatch; for kubectl evictwatch: kubectl-evictwatch completion --install-shim
_kubectl-evictwatch() {
	local -a lines offers
	local line directive text meaning
	lines=("\${(@f)$("\${(Q)words[1]}" __complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
	directive=\${lines[-1]#:}
	lines[-1]=()
	[[ $words[CURRENT] == -*=* ]] && compset -P '*='
	for line in $lines; do
		text=\${line%%$'\\t'*}
		meaning=
		[[ $line == *$'\\t'* ]] && meaning=\${line#*$'\\t'}
		offers+=("\${text//:/\\\\:}\${meaning:+:$meaning}")
	done
	if (( $#offers )); then
		if (( $#offers == 1 )) && [[ $offers[1] == */ ]]; then
			_describe 'kubectl-evictwatch' offers -S ''
		else
			_describe 'kubectl-evictwatch' offers
		fi
	elif [[ $directive == 0 ]]; then
		_files
	elif [[ $directive == 16 ]]; then
		_files -/
	fi
}
if [[ $funcstack[1] == _kubectl-evictwatch ]]; then
	_kubectl-evictwatch "$@"
else
	compdef _kubectl-evictwatch kubectl-evictwatch
fi
`;

const fish = `# fish completion for kubectl-evictwatch; for kubectl evictwatch: kubectl-evictwatch completion --install-shim
function __kubectl_evictwatch_complete
	set -l words (commandline -opc)
	set -l current (commandline -ct)
	set -l program $words[1]
	set -e words[1]
	set -l lines ($program __complete $words "$current" 2>/dev/null)
	set -l directive (string replace ':' '' -- $lines[-1])
	set -e lines[-1]
	set -l prefix (string match -r -- '^-.*?=' "$current")
	for line in $lines
		printf '%s%s\\n' "$prefix" "$line"
	end
	if test "$directive" = 0
		__fish_complete_path (string replace -- "$prefix" '' "$current")
	else if test "$directive" = 16
		__fish_complete_directories (string replace -- "$prefix" '' "$current")
	end
end
complete -c kubectl-evictwatch -f -a '(__kubectl_evictwatch_complete)'
`;

const powershell = `# PowerShell completion for kubectl-evictwatch. Nobody has tested it.
Register-ArgumentCompleter -Native -CommandName 'kubectl-evictwatch' -ScriptBlock {
	param($wordToComplete, $commandAst, $cursorPosition)
	$before = @($commandAst.CommandElements | Select-Object -Skip 1 |
		Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
	$last = if ($wordToComplete) { $wordToComplete } elseif ($PSVersionTable.PSVersion -lt [version]'7.3') { '""' } else { '' }
	$lines = @(& $commandAst.CommandElements[0].ToString() __complete @before $last 2>$null)
	$lines | Select-Object -SkipLast 1 | ForEach-Object {
		$text, $meaning = $_ -split "\`t", 2
		if (-not $meaning) { $meaning = $text }
		[System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $meaning)
	}
}
`;

export const scripts = {bash, zsh, fish, powershell} as const;
