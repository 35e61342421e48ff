<?php $db = new PDO('mysql:host=10.7.0.1;dbname=whit', 'whit', 'whit', [PDO::ATTR_PERSISTENT => 1]);
$rows = $db->prepare('SELECT name FROM item WHERE id = ?');
$rows->execute([49]);
?>
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>A row</title>
<h1>Item 49</h1>
<?php foreach ($rows as $row) { ?>
<p>The item is called <b><?= htmlspecialchars($row['name']) ?></b>.
<?php } ?>
<p>It is read from the database once more, for each request of it.
</html>
